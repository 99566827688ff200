"""Working: the rows of the previous round, read by the step of a recursion. Only a Recursion contains it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from trickle.plan.op import Linearity, Op, rewrite_bottom_up
from trickle.plan.schema import Schema


@dataclass(frozen=True, eq=False)
class Working(Op):
    """SELECT * FROM the previous round. Constant while the step is differentiated: Δ = ∅."""

    name: str
    """The name of its recursion."""
    columns: Schema
    weighted: bool = False
    linearity: ClassVar[Linearity] = Linearity.LEAF

    @property
    def schema(self) -> Schema:
        return self.columns

    @property
    def signed(self) -> bool:
        return self.weighted


def with_working_rows(rows: Op, name: str, step: Op) -> Op:
    """step(rows): the step with `rows` in place of the previous round."""
    return rewrite_bottom_up(step, lambda op: rows if isinstance(op, Working) and op.name == name else op)
