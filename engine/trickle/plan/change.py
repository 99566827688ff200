"""A relation's change between two moments: three plans."""

from __future__ import annotations

from dataclasses import dataclass

from trickle.plan.op import Op


@dataclass(frozen=True)
class Change:
    """`before` and `after` are unsigned plans, `delta` is a signed one: ⟦delta⟧ = ⟦after⟧ − ⟦before⟧."""

    before: Op
    after: Op
    delta: Op
