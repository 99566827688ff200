"""Restrict: the rows whose key occurs among given keys. A null-safe semijoin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from trickle.plan.op import Linearity, Op
from trickle.plan.scalar import Named, Scalar
from trickle.plan.schema import Schema
from trickle.sql.block import Block
from trickle.sql.build import all_of, same


@dataclass(frozen=True, eq=False)
class Restrict(Op):
    """SELECT * FROM child LEFT SEMI JOIN keys ON each key of child <=> the key of that name in `keys`."""

    child: Op
    keys: Op
    by: tuple[Named, ...]
    """Key column of `keys` → the expression over `child` that it is compared with."""
    linearity: ClassVar[Linearity] = Linearity.BILINEAR

    @property
    def schema(self) -> Schema:
        return self.child.schema

    @property
    def signed(self) -> bool:
        return self.child.signed

    def scalars(self) -> tuple[Scalar, ...]:
        return tuple(key.value for key in self.by)

    def block(self, inputs: tuple[Block, ...]) -> Block:
        child, keys = inputs
        matches = all_of(same(child.define(key.value.tree), keys.outputs[key.name].copy()) for key in self.by)
        return child.joined(keys, "LEFT SEMI", matches, child.outputs)
