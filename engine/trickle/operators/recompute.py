"""Recompute: a query with no incremental form here. Its change is its new result minus what is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from trickle.errors import Reason
from trickle.operators.negate import Negate
from trickle.operators.stored import Stored
from trickle.operators.union_all import UnionAll
from trickle.plan.op import Linearity, Op
from trickle.plan.schema import Schema


@dataclass(frozen=True, eq=False)
class Recompute(Op):
    """The user's own text, run whole at the new versions.   Δ = q(R′) − stored

    An operator with reasons, so that falling back is a decision one can read. The text is kept by the compiled view.
    """

    columns: Schema
    reasons: tuple[Reason, ...]
    linearity: ClassVar[Linearity] = Linearity.LEAF

    @property
    def schema(self) -> Schema:
        return self.columns

    @property
    def signed(self) -> bool:
        return False

    def difference(self) -> Op:
        """What must be applied to the stored rows to make them the new result."""
        return UnionAll((self, Negate(Stored(self.columns))))
