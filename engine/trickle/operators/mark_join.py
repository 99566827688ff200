"""MarkJoin: EXISTS and IN where a value is wanted: under OR, in CASE, in the SELECT list. It adds a TRUE or FALSE."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Optional

from sqlglot import exp

from trickle.operators.negate import Negate
from trickle.operators.semi_join import concerned
from trickle.operators.union_all import UnionAll
from trickle.plan.change import Change
from trickle.plan.op import Linearity, Op
from trickle.plan.scalar import Scalar
from trickle.plan.schema import WEIGHT, Column, Schema
from trickle.sql.block import Block, closed
from trickle.sql.build import integer


@dataclass(frozen=True, eq=False)
class MarkJoin(Op):
    """SELECT *, EXISTS (SELECT … FROM right WHERE condition) AS mark FROM left.

    Δ(L m R) = ΔL m R′ − A m R + A m R′,  A = L ⋉ ΔR: the old left rows that a changed right row matches.
    """

    left: Op
    right: Op
    condition: Optional[Scalar]
    mark: str
    linearity: ClassVar[Linearity] = Linearity.NONLINEAR
    reads_closed: ClassVar[bool] = True

    @cached_property
    def schema(self) -> Schema:
        return Schema((*self.left.schema.columns, Column(self.mark, "boolean")))

    @property
    def signed(self) -> bool:
        return self.left.signed

    def scalars(self) -> tuple[Scalar, ...]:
        return () if self.condition is None else (self.condition,)

    def delta(self, changes: tuple[Change, ...]) -> Op:
        left, right = changes
        old = concerned(left.before, right.delta, self.condition)
        return UnionAll(
            (
                self.rebuild((left.delta, right.after)),
                Negate(self.rebuild((old, right.before))),
                self.rebuild((old, right.after)),
            )
        )

    def block(self, inputs: tuple[Block, ...]) -> Block:
        left, right = inputs
        both = left.projected({**left.outputs, **right.outputs})
        matching = replace(right, outputs={"one": integer(1)}, weight=None, hints=())
        if self.condition is not None:
            matching = matching.filtered(both.define(self.condition.tree))
        mark = exp.Exists(this=matching.select(""))
        query = left.projected({**left.outputs, self.mark: mark}).select(WEIGHT)
        return closed(query, self.schema.names, WEIGHT if self.signed else None)
