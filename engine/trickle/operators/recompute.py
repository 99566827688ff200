"""Recompute: a query without an incremental form. Its change is its new result minus the stored rows."""

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
    """The user's own text, run in full at the new versions.   Δ = q(R′) − stored

    An operator with reasons, so that the fallback is visible in the plan. The compiled view keeps the text.
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
        """The change that turns the stored rows into the new result."""
        return UnionAll((self, Negate(Stored(self.columns))))
