"""Consolidate: sum the weights of equal rows and drop the zeros: a story of changes becomes a difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sqlglot import exp

from trickle.plan.op import Linearity, Op
from trickle.plan.schema import WEIGHT, Schema
from trickle.sql.block import Block, closed
from trickle.sql.build import alias, integer


@dataclass(frozen=True, eq=False)
class Consolidate(Op):
    """SELECT *, SUM(weight) FROM child GROUP BY * HAVING SUM(weight) <> 0"""

    child: Op
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
        query = Block(child.outputs, None, child.relation, child.joins, child.where, None, child.hints).select("")
        query.append("expressions", alias(total.copy(), WEIGHT))
        query.set("group", exp.Group(expressions=[integer(place + 1) for place in range(len(self.schema))]))
        query.set("having", exp.Having(this=exp.NEQ(this=total.copy(), expression=integer(0))))
        return closed(query, self.schema.names, WEIGHT)
