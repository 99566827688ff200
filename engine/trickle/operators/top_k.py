"""TopK: ORDER BY … LIMIT [OFFSET]. Ties are ordered by the remaining columns, so that the result is deterministic."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from sqlglot import exp

from trickle.operators.affected import recompute_affected
from trickle.operators.consolidate import Consolidate
from trickle.plan.change import Change
from trickle.plan.comparable import comparable
from trickle.plan.op import Linearity, Op
from trickle.plan.schema import Schema
from trickle.sql.block import Block, closed_block
from trickle.sql.build import column, integer


@dataclass(frozen=True)
class Ordering:
    """One item of an ORDER BY: a column and its direction."""

    column: str
    descending: bool = False
    nulls_first: bool = True

    def tree(self, name: str | None = None) -> exp.Ordered:
        return exp.Ordered(this=column(name or self.column), desc=self.descending, nulls_first=self.nulls_first)


@dataclass(frozen=True, eq=False)
class TopK(Op):
    """SELECT * FROM child ORDER BY order, every other column LIMIT limit OFFSET offset.

    Δ = −τ(R) + τ(R′): any row may displace any other, so a changed R is read in full, before and after. At the top of
    a view, stored rows make it cheap: see layouts/top.py.
    """

    child: Op
    order: tuple[Ordering, ...]
    limit: int
    offset: int
    linearity: ClassVar[Linearity] = Linearity.NONLINEAR

    @property
    def schema(self) -> Schema:
        return self.child.schema

    @property
    def signed(self) -> bool:
        return False

    @cached_property
    def total_order(self) -> tuple[Ordering, ...]:
        """The user's order, followed by the columns it does not name."""
        named = {item.column for item in self.order}
        return (*self.order, *(Ordering(name) for name in self.schema.names if name not in named))

    def delta(self, changes: tuple[Change, ...]) -> Op:
        (child,) = changes
        return Consolidate(recompute_affected(self, child, ()))

    def _ordered(self, item: Ordering) -> exp.Ordered:
        tree = item.tree()
        tree.set("this", comparable(tree.this, self.schema[item.column].parsed_type))
        return tree

    def sorted_by(self) -> exp.Order:
        """The total order, over the child's columns."""
        return exp.Order(expressions=[self._ordered(item) for item in self.total_order])

    def block(self, inputs: tuple[Block, ...]) -> Block:
        (child,) = inputs
        query = child.select("")
        query.set("order", self.sorted_by())
        query.set("limit", exp.Limit(expression=integer(self.limit)))
        if self.offset:
            query.set("offset", exp.Offset(expression=integer(self.offset)))
        return closed_block(query, self.schema.names, None)
