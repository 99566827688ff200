"""Consolidate: sums the weights of equal rows and drops zeros, so that a log of changes becomes a net change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Optional

from sqlglot import exp

from trickle.plan.comparable import grouped_rows
from trickle.plan.op import Linearity, Op
from trickle.plan.schema import WEIGHT, Schema
from trickle.sql.block import Block, closed_block
from trickle.sql.build import alias, integer


@dataclass(frozen=True, eq=False)
class Consolidate(Op):
    """SELECT *, SUM(weight) FROM child GROUP BY * HAVING SUM(weight) <> 0

    Columns without equality are grouped by a comparable form, and any value of each group is returned.
    """

    child: Op
    types: Optional[Schema] = None
    """The columns with Spark's types, where these are better known than the plan's."""
    linearity: ClassVar[Linearity] = Linearity.LINEAR

    @property
    def schema(self) -> Schema:
        return self.child.schema

    @property
    def signed(self) -> bool:
        return True

    def block(self, inputs: tuple[Block, ...]) -> Block:
        (child,) = inputs
        weight = child.weight.copy() if child.weight is not None else integer(1)
        total = exp.Sum(this=weight)
        shown, keys = grouped_rows(self.types or self.schema, child.outputs)
        query = Block(shown, None, child.relation, child.joins, child.where, None, child.hints).select("")
        query.append("expressions", alias(total.copy(), WEIGHT))
        query.set("group", exp.Group(expressions=keys))
        query.set("having", exp.Having(this=exp.NEQ(this=total.copy(), expression=integer(0))))
        return closed_block(query, self.schema.names, WEIGHT)
