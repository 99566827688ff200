"""TouchedKeys: the distinct keys of a change, for the affected-key rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from sqlglot import exp

from trickle.plan.expression_types import type_of
from trickle.plan.op import Linearity, Op
from trickle.plan.scalar import Named, Scalar
from trickle.plan.schema import Column, Schema
from trickle.sql.block import Block, closed_block


@dataclass(frozen=True, eq=False)
class TouchedKeys(Op):
    """SELECT DISTINCT keys FROM child, ignoring weights: a superset of the keys whose rows changed.

    A superset is enough: a key whose changes cancel is recomputed to the same rows.
    """

    child: Op
    keys: tuple[Named, ...]
    linearity: ClassVar[Linearity] = Linearity.NONLINEAR

    @cached_property
    def schema(self) -> Schema:
        types = {column.name: column.type for column in self.child.schema}
        return Schema(tuple(Column(key.name, type_of(key.value.tree, types)) for key in self.keys))

    @property
    def signed(self) -> bool:
        return False

    def scalars(self) -> tuple[Scalar, ...]:
        return tuple(key.value for key in self.keys)

    def block(self, inputs: tuple[Block, ...]) -> Block:
        (child,) = inputs
        keys = Block(
            {key.name: child.define(key.value.tree) for key in self.keys},
            None,
            child.relation,
            child.joins,
            child.where,
            None,
            child.hints,
        )
        query = keys.select("")
        query.set("distinct", exp.Distinct())
        return closed_block(query, self.schema.names, None)
