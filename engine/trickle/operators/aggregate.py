"""Aggregate: GROUP BY with any aggregate calls, or one row for the whole input when there are no keys."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from sqlglot import exp

from trickle.operators.affected import recompute_affected
from trickle.operators.consolidate import Consolidate
from trickle.plan.change import Change
from trickle.plan.expression_types import type_of
from trickle.plan.make_deterministic import made_deterministic
from trickle.plan.op import Linearity, Op
from trickle.plan.scalar import Named, Scalar
from trickle.plan.schema import Column, Schema
from trickle.sql.block import Block, closed_block
from trickle.sql.build import integer


@dataclass(frozen=True, eq=False)
class Aggregate(Op):
    """SELECT keys, measures FROM child GROUP BY keys.

    Δγ(R) = −γ(R ⋉ K) + γ(R′ ⋉ K),  K = keys of ΔR: correct for every aggregate, floats and DISTINCT included.
    At the top of a view, stored state makes it cheaper: see layouts/groups.py.
    """

    child: Op
    keys: tuple[Named, ...]
    measures: tuple[Named, ...]
    linearity: ClassVar[Linearity] = Linearity.NONLINEAR

    @cached_property
    def schema(self) -> Schema:
        types = {column.name: column.type for column in self.child.schema}
        named = (*self.keys, *self.measures)
        return Schema(tuple(Column(item.name, type_of(item.value.tree, types)) for item in named))

    @property
    def signed(self) -> bool:
        return False

    def scalars(self) -> tuple[Scalar, ...]:
        return tuple(item.value for item in (*self.keys, *self.measures))

    def delta(self, changes: tuple[Change, ...]) -> Op:
        (child,) = changes
        delta = recompute_affected(self, child, self.keys)
        # Unchanged totals must cancel, so that nothing computed from them is recomputed.
        return delta if self.keys else Consolidate(delta)

    def block(self, inputs: tuple[Block, ...]) -> Block:
        (child,) = inputs
        items = {item.name: child.define(item.value.tree) for item in self.keys}
        items |= {item.name: child.define(made_deterministic(item.value.tree)) for item in self.measures}
        query = Block(items, None, child.relation, child.joins, child.where, None, child.hints).select("")
        if self.keys:
            # By ordinal: a literal key would otherwise be taken for an ordinal.
            query.set("group", exp.Group(expressions=[integer(index + 1) for index in range(len(self.keys))]))
        return closed_block(query, self.schema.names, None)
