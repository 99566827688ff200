"""Project: the SELECT list of deterministic expressions. Weights pass through; duplicates stay."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from trickle.plan.expression_types import type_of
from trickle.plan.op import Linearity, Op
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.plan.schema import Column, Schema
from trickle.sql.block import Block


@dataclass(frozen=True, eq=False)
class Project(Op):
    """SELECT items FROM child.   Δπ(R) = π(ΔR)"""

    child: Op
    items: tuple[Named, ...]
    linearity: ClassVar[Linearity] = Linearity.LINEAR

    @cached_property
    def schema(self) -> Schema:
        types = {column.name: column.type for column in self.child.schema}
        return Schema(tuple(Column(item.name, type_of(item.value.tree, types)) for item in self.items))

    def scalars(self) -> tuple[Scalar, ...]:
        return tuple(item.value for item in self.items)

    def block(self, inputs: tuple[Block, ...]) -> Block:
        (child,) = inputs
        return child.projected({item.name: child.define(item.value.tree) for item in self.items})


def selecting(child: Op, names: tuple[str, ...]) -> Op:
    """The child's columns of these names, in their order; the child itself when it has the same."""
    if child.schema.names == names:
        return child
    return Project(child, tuple(Named(name, column_scalar(name)) for name in names))


def renaming(child: Op, names: tuple[str, ...]) -> Op:
    """The child's columns under other names, in order; the child itself when the names are the same."""
    if child.schema.names == names:
        return child
    return Project(child, tuple(Named(new, column_scalar(old)) for new, old in zip(names, child.schema.names)))
