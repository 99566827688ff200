"""Explode: rows made from a row: LATERAL VIEW, EXPLODE in a SELECT list, INLINE, STACK. Each row by itself."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from sqlglot import exp

from trickle.plan.op import Linearity, Op
from trickle.plan.scalar import Scalar
from trickle.plan.schema import WEIGHT, Column, Schema
from trickle.sql.block import Block, closed
from trickle.sql.build import column, identifier

MADE = "__trickle_made_"
"""Made columns begin with it, so that they are found without naming the view, which not every database lets one do."""


@dataclass(frozen=True, eq=False)
class Explode(Op):
    """SELECT * FROM child LATERAL VIEW [OUTER] generator AS columns.   Δε(R) = ε(ΔR)

    With `outer` a row that makes nothing is kept, beside NULLs.
    """

    child: Op
    generator: Scalar
    columns: tuple[Column, ...]
    outer: bool
    linearity: ClassVar[Linearity] = Linearity.LINEAR

    @cached_property
    def schema(self) -> Schema:
        return Schema((*self.child.schema.columns, *self.columns))

    def scalars(self) -> tuple[Scalar, ...]:
        return (self.generator,)

    def block(self, inputs: tuple[Block, ...]) -> Block:
        (child,) = inputs
        made = {one.name: column(one.name) for one in self.columns}
        query = child.projected({**child.outputs, **made}).select(WEIGHT)
        names = exp.TableAlias(this=identifier(f"{MADE}rows"), columns=[identifier(one.name) for one in self.columns])
        view = exp.Lateral(this=child.define(self.generator.tree), view=True, outer=self.outer, alias=names)
        query.append("laterals", view)
        return closed(query, self.schema.names, WEIGHT if self.signed else None)
