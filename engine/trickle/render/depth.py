"""Limits the depth of a recursion's change to the depth that Spark allows for the whole recursion."""

from __future__ import annotations

from sqlglot import exp

from trickle.operators import Recursion
from trickle.plan.stops import stop
from trickle.sql.block import Block
from trickle.sql.build import case, column, integer

RECURSION_LIMIT = "recursion_limit"
"""Code of the error for a row at a level that the whole recursion could not reach."""


def within_levels(block: Block, op: Recursion) -> Block:
    """The rows of a change, or an error for a row at a level that Spark does not compute.

    Spark counts the rounds of a statement. A change begins in the middle of the recursion, so the number of its rounds
    is lower than the level of its rows.
    """
    assert op.level is not None
    reached = exp.GTE(this=column(op.level), expression=integer(op.limit))
    failed = stop(RECURSION_LIMIT, f"the recursion goes deeper than {op.limit} levels", "boolean")
    return block.filtered(block.define(case(reached, failed, exp.true())))
