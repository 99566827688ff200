"""Within: the rows of a source with a column in given ranges, as literals, by which Delta can skip files."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from trickle.plan.op import Linearity, Op
from trickle.plan.ranges import Ranges, in_ranges
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
    """The share of the source's bytes that is read, by its files' statistics."""
    linearity: ClassVar[Linearity] = Linearity.LINEAR

    @property
    def schema(self) -> Schema:
        return self.child.schema

    @cached_property
    def condition(self) -> Scalar:
        return Scalar(in_ranges(column(self.column), self.ranges))

    def scalars(self) -> tuple[Scalar, ...]:
        return (self.condition,)

    def block(self, inputs: tuple[Block, ...]) -> Block:
        (child,) = inputs
        return child.filtered(child.define(self.condition.tree))
