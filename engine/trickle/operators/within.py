"""Within: the rows of a source whose column lies in given ranges. Delta skips files by literals only."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from trickle.plan.op import Linearity, Op
from trickle.plan.ranges import Ranges, lies_in
from trickle.plan.scalar import Scalar
from trickle.plan.schema import Schema
from trickle.sql.block import Block
from trickle.sql.build import column


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
        return Scalar(lies_in(column(self.column), self.ranges))

    def scalars(self) -> tuple[Scalar, ...]:
        return (self.condition,)

    def block(self, inputs: tuple[Block, ...]) -> Block:
        (child,) = inputs
        return child.filtered(child.define(self.condition.tree))
