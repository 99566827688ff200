"""Empty: no rows. The delta of everything unchanged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from trickle.plan.op import Linearity, Op
from trickle.plan.schema import Schema


@dataclass(frozen=True, eq=False)
class Empty(Op):
    """No rows of a schema; neither signed nor unsigned, so it fits anywhere until simplify removes it."""

    columns: Schema
    linearity: ClassVar[Linearity] = Linearity.LEAF

    @property
    def schema(self) -> Schema:
        return self.columns

    @property
    def signed(self) -> bool:
        return False
