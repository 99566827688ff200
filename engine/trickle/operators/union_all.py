"""UnionAll: UNION ALL of any number of inputs with the same column names. Weights of equal rows add up."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from trickle.errors import InternalError
from trickle.plan.op import Linearity, Op
from trickle.plan.schema import WEIGHT, Column, Schema
from trickle.sql.block import Block, closed_block
from trickle.sql.build import integer, union_all
from trickle.types import type_text, widest


@dataclass(frozen=True, eq=False)
class UnionAll(Op):
    """SELECT * FROM a UNION ALL SELECT * FROM b ….   Δ(A ⊎ B) = ΔA ⊎ ΔB"""

    inputs: tuple[Op, ...]
    linearity: ClassVar[Linearity] = Linearity.LINEAR
    keeps_queries: ClassVar[bool] = True

    def __post_init__(self) -> None:
        names = {op.schema.names for op in self.inputs}
        if len(names) != 1:
            raise InternalError(f"the inputs of UNION ALL do not have the same columns: {sorted(names)}")

    @cached_property
    def schema(self) -> Schema:
        by_position = zip(*(op.schema.columns for op in self.inputs))
        typed = ((parts[0].name, widest([part.parsed_type for part in parts])) for parts in by_position)
        return Schema(tuple(Column(name, type_text(kind)) for name, kind in typed))

    def block(self, inputs: tuple[Block, ...]) -> Block:
        names = self.schema.names
        branches = [with_column_order(block, names, self.signed) for block in inputs]
        return closed_block(
            union_all([branch.select(WEIGHT) for branch in branches]), names, WEIGHT if self.signed else None
        )


def with_column_order(block: Block, names: tuple[str, ...], signed: bool) -> Block:
    """A block with its columns in a given order, and a weight if signed."""
    if block.query is not None:
        return block
    weight = (block.weight if block.weight is not None else integer(1)) if signed else None
    outputs = {name: block.outputs[name] for name in names}
    return Block(outputs, weight, block.relation, block.joins, block.where, None, block.hints)
