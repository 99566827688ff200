"""Accumulate: the change of a grouping's stored state, summed from weighted rows. Only deltas contain it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from sqlglot import exp

from trickle.plan.op import Linearity, Op
from trickle.plan.scalar import Named, Scalar
from trickle.plan.schema import WEIGHT, Column, Schema
from trickle.sql.block import Block, closed_block
from trickle.sql.build import integer, substitute


@dataclass(frozen=True, eq=False)
class Accumulate(Op):
    """SELECT keys, Σ weight·… FROM signed child GROUP BY keys, without the groups whose state does not change.

    The measures may name the weight column; a row of an unsigned child has weight 1.
    """

    child: Op
    keys: tuple[Named, ...]
    measures: tuple[Named, ...]
    drops_zero: bool
    """Whether a group whose measures are all zero is left out: correct for sums, wrong for extremes."""
    linearity: ClassVar[Linearity] = Linearity.NONLINEAR

    @cached_property
    def schema(self) -> Schema:
        return Schema(tuple(Column(item.name) for item in (*self.keys, *self.measures)))

    @property
    def signed(self) -> bool:
        return False

    def scalars(self) -> tuple[Scalar, ...]:
        return tuple(item.value for item in (*self.keys, *self.measures))

    def block(self, inputs: tuple[Block, ...]) -> Block:
        (child,) = inputs
        weight = child.weight if child.weight is not None else integer(1)
        values = {**child.outputs, WEIGHT: weight}
        items = {item.name: substitute(item.value.tree, values) for item in (*self.keys, *self.measures)}
        query = Block(items, None, child.relation, child.joins, child.where, None, child.hints).select("")
        if self.keys:
            query.set("group", exp.Group(expressions=[integer(index + 1) for index in range(len(self.keys))]))
        if self.drops_zero:
            any_change: exp.Expr | None = None
            for measure in self.measures:
                changed = exp.NEQ(this=items[measure.name].copy(), expression=integer(0))
                any_change = changed if any_change is None else exp.Or(this=any_change, expression=changed)
            query.set("having", exp.Having(this=any_change))
        elif not self.keys:
            # Without keys there is a row even for an empty input: NULLs that would erase the state.
            has_rows = exp.GT(this=exp.Count(this=exp.Star()), expression=integer(0))
            query.set("having", exp.Having(this=has_rows))
        return closed_block(query, self.schema.names, None)
