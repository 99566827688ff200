"""Lookup: for every key, the row that has it, or NULLs when there is none any more. Only refreshes contain it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from trickle.plan.op import Linearity, Op
from trickle.plan.schema import Schema
from trickle.sql.block import Block
from trickle.sql.build import all_of, same


@dataclass(frozen=True, eq=False)
class Lookup(Op):
    """SELECT * FROM keys LEFT JOIN rows ON key <=> row's key, for each pair of column names."""

    keys: Op
    rows: Op
    pairs: tuple[tuple[str, str], ...]
    linearity: ClassVar[Linearity] = Linearity.NONLINEAR
    reads_closed: ClassVar[bool] = True

    @cached_property
    def schema(self) -> Schema:
        return self.keys.schema + self.rows.schema

    def block(self, inputs: tuple[Block, ...]) -> Block:
        keys, rows = inputs
        matches = all_of(same(keys.outputs[one].copy(), rows.outputs[other].copy()) for one, other in self.pairs)
        # The side a LEFT JOIN keeps cannot be the one that is broadcast.
        kept = replace(keys, hints=())
        return kept.joined(rows, "LEFT", matches, {**keys.outputs, **rows.outputs})
