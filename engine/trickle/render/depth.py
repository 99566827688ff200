"""How deep a recursion's change may reach: no deeper than Spark lets the whole recursion."""

from __future__ import annotations

from sqlglot import exp

from trickle.operators import Recursion
from trickle.sql.block import Block
from trickle.sql.build import call, case, cast, column, integer, string

TOO_DEEP = "the recursion goes deeper than"
"""Words of a statement that found a row at a level which the whole recursion would not reach."""
LIMITS = (TOO_DEEP, "RECURSION_LEVEL_LIMIT_EXCEEDED", "RECURSION_ROW_LIMIT_EXCEEDED")
"""What a statement fails with that followed a change too far: the whole recursion may still end."""

NESTED = ("nested too deep for Spark", "FAILED_TO_PARSE_TOO_COMPLEX", "Max iterations (")
"""What a statement fails with that is nested deeper than the query it maintains."""


def within_levels(block: Block, op: Recursion) -> Block:
    """The rows of a change, or an error where one lies at a level that Spark does not compute.

    Spark counts the rounds of a statement. A change begins in the middle of the tree, so its rounds say less than the
    level that each row carries.
    """
    assert op.level is not None
    sentence = f"dbt-trickle: {TOO_DEEP} {op.limit} levels"
    reached = exp.GTE(this=column(op.level), expression=integer(op.limit))
    failed = cast(call("RAISE_ERROR", string(sentence)), "boolean")
    return block.filtered(block.define(case(reached, failed, exp.true())))
