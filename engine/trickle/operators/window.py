"""Window: functions over the rows of a partition. Touched partitions are computed again, before and after."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from trickle.operators.affected import recompute_affected
from trickle.plan.change import Change
from trickle.plan.op import Linearity, Op
from trickle.plan.scalar import Named, Scalar
from trickle.plan.schema import Column, Schema
from trickle.plan.ties import without_ties
from trickle.plan.types import type_of
from trickle.sql.block import Block, closed


@dataclass(frozen=True, eq=False)
class Window(Op):
    """SELECT *, function OVER (PARTITION BY partition …), … FROM child: all windows over the same partitions.

    Δ = −ω(R ⋉ K) + ω(R′ ⋉ K),  K = partitions of ΔR: right for every function and frame.

    Where an answer depends on the order of rows that tie, the row's other columns break the tie, so that the same
    rows always give the same answer.
    """

    child: Op
    partition: tuple[Named, ...]
    items: tuple[Named, ...]
    linearity: ClassVar[Linearity] = Linearity.NONLINEAR
    # Each column may be asked for several times over, to break ties.
    reads_closed: ClassVar[bool] = True

    @cached_property
    def schema(self) -> Schema:
        types = {column.name: column.type for column in self.child.schema}
        added = tuple(Column(item.name, type_of(item.value.tree, types)) for item in self.items)
        return Schema(self.child.schema.columns + added)

    @property
    def signed(self) -> bool:
        return False

    def scalars(self) -> tuple[Scalar, ...]:
        return tuple(item.value for item in (*self.partition, *self.items))

    def delta(self, changes: tuple[Change, ...]) -> Op:
        (child,) = changes
        return recompute_affected(self, child, self.partition)

    def block(self, inputs: tuple[Block, ...]) -> Block:
        (child,) = inputs
        columns = self.child.schema.columns
        added = {item.name: child.define(without_ties(item.value.tree, columns)) for item in self.items}
        query = child.projected({**child.outputs, **added}).select("")
        return closed(query, self.schema.names, None)
