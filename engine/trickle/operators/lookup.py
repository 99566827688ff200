"""Lookup: for every key, its row, or NULLs when there is none any more. Only refreshes contain it."""

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
        matches = all_of(
            same(keys.outputs[key].copy(), rows.outputs[row_column].copy()) for key, row_column in self.pairs
        )
        # Spark cannot broadcast the preserved side of a LEFT JOIN.
        preserved = replace(keys, hints=())
        return preserved.joined(rows, "LEFT", matches, {**keys.outputs, **rows.outputs})
