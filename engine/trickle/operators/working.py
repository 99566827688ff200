"""Working: inside the step of a recursion, the rows that the round before has made. Only a Recursion contains it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from trickle.plan.op import Linearity, Op, rewrite_bottom_up
from trickle.plan.schema import Schema


@dataclass(frozen=True, eq=False)
class Working(Op):
    """SELECT * FROM the recursion, as its step sees it. Held still while the step is differentiated: Δ = ∅."""

    name: str
    """Which recursion it belongs to."""
    columns: Schema
    weighted: bool = False
    linearity: ClassVar[Linearity] = Linearity.LEAF

    @property
    def schema(self) -> Schema:
        return self.columns

    @property
    def signed(self) -> bool:
        return self.weighted


def put(rows: Op, name: str, step: Op) -> Op:
    """step(rows): the step over other rows than those of the round before."""
    return rewrite_bottom_up(step, lambda op: rows if isinstance(op, Working) and op.name == name else op)
