"""Within: the rows of a source whose column lies in given ranges. Delta skips files by literals only."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import ClassVar

from sqlglot import exp

from trickle.plan.op import Linearity, Op
from trickle.plan.ranges import Bound, Ranges
from trickle.plan.scalar import Scalar
from trickle.plan.schema import Schema
from trickle.sql.block import Block
from trickle.sql.build import any_of, cast, column, integer, string


@dataclass(frozen=True, eq=False)
class Within(Op):
    """SELECT * FROM child WHERE column BETWEEN low AND high OR … OR column IS NULL."""

    child: Op
    column: str
    ranges: Ranges
    share: float
    """The part of the source that is read for it, as its files' statistics say."""
    linearity: ClassVar[Linearity] = Linearity.LINEAR

    @property
    def schema(self) -> Schema:
        return self.child.schema

    @cached_property
    def condition(self) -> Scalar:
        tree = column(self.column)
        single = [low for low, high in self.ranges.intervals if low == high]
        parts: list[exp.Expr] = [
            exp.Between(this=tree.copy(), low=_literal(low), high=_literal(high))
            for low, high in self.ranges.intervals
            if low != high
        ]
        if single:
            parts.insert(0, exp.In(this=tree.copy(), expressions=[_literal(one) for one in single]))
        if self.ranges.null:
            parts.append(exp.Is(this=tree.copy(), expression=exp.Null()))
        return Scalar(any_of(parts) or exp.false())

    def scalars(self) -> tuple[Scalar, ...]:
        return (self.condition,)

    def block(self, inputs: tuple[Block, ...]) -> Block:
        (child,) = inputs
        return child.filtered(child.define(self.condition.tree))


def _literal(value: Bound) -> exp.Expr:
    match value:
        case Decimal():
            number = exp.Literal(this=f"{abs(value):f}", is_string=False)
            return exp.Neg(this=number) if value < 0 else number
        case str():
            return cast(string(value), "date")
        case _:
            return integer(value)
