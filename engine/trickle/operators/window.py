"""Window: functions over the rows of a partition. Touched partitions are recomputed, before and after."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from sqlglot import exp

from trickle.operators.affected import recompute_affected
from trickle.plan.change import Change
from trickle.plan.expression_types import type_of
from trickle.plan.op import Linearity, Op
from trickle.plan.scalar import Named, Scalar
from trickle.plan.schema import Column, Schema
from trickle.plan.ties import order_of_equals, without_ties
from trickle.sql.block import Block, closed_block, open_block
from trickle.sql.build import call, subquery

ROW_POSITION = "__trickle_place"
"""A row's number in the first order that breaks ties."""


@dataclass(frozen=True, eq=False)
class Window(Op):
    """SELECT *, function OVER (PARTITION BY partition …), … FROM child: all windows over the same partitions.

    Δ = −ω(R ⋉ K) + ω(R′ ⋉ K),  K = partitions of ΔR: correct for every function and frame.

    Where a result depends on the order of tied rows, the row's other columns break the tie, so that the result is
    deterministic.
    """

    child: Op
    partition: tuple[Named, ...]
    items: tuple[Named, ...]
    linearity: ClassVar[Linearity] = Linearity.NONLINEAR
    # Each column may be used several times, to break ties.
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

    @cached_property
    def _items_in_first_order(self) -> tuple[Named, ...]:
        """The calls of the first block: those without tie-breaking, and those in the first order that breaks ties."""
        orders = {item.name: order_of_equals(_window(item)) for item in self.items}
        first = next((order for order in orders.values() if order is not None), None)
        return tuple(item for item in self.items if orders[item.name] in (None, first))

    def block(self, inputs: tuple[Block, ...]) -> Block:
        (child,) = inputs
        columns, first = self.child.schema.columns, self._items_in_first_order
        rest = tuple(item for item in self.items if item not in first)
        added = {item.name: child.define(without_ties(item.value.tree, columns)) for item in first}
        if rest:
            # Equal rows must have the same order in all windows: their results belong to one row.
            position = child.define(without_ties(_numbering(first), columns))
            numbered = child.projected({**child.outputs, **added, ROW_POSITION: position}).select("")
            names = (*child.outputs, *added, ROW_POSITION)
            child = open_block(subquery(numbered, "numbered"), "numbered", {name: name for name in names}, None)
            columns = (*columns, Column(ROW_POSITION, "int"))
            added = {item.name: child.define(without_ties(item.value.tree, columns)) for item in rest}
        outputs = {**child.outputs, **added}
        query = child.projected({name: outputs[name] for name in self.schema.names}).select("")
        return closed_block(query, self.schema.names, None)


def _window(item: Named) -> exp.Window:
    assert isinstance(item.value.tree, exp.Window)
    return item.value.tree


def _numbering(items: tuple[Named, ...]) -> exp.Window:
    """ROW_NUMBER() in the order by which these calls break ties."""
    window = next(_window(item) for item in items if order_of_equals(_window(item)) is not None)
    copied = window.copy()
    copied.set("this", call("ROW_NUMBER"))
    copied.set("spec", None)
    return copied
