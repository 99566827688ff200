"""Wrong rules of recursions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.laws import on_storage, statements
from tests.oracle.generate_plans import recursive_examples
from tests.planted.planting import found_by
from trickle.operators import Recursion, UnionAll
from trickle.operators.working import Working, with_working_rows
from trickle.plan.change import Change
from trickle.plan.op import Op


def _followed(op: Recursion, begin: Op, step: Op) -> Op:
    return replace(
        op, anchor=begin, step=with_working_rows(Working(op.working, op.schema, weighted=True), op.working, step)
    )


@found_by(statements.delta_is_the_difference, within=400, drawn=recursive_examples())
def recursion_follows_the_old_step(patch: pytest.MonkeyPatch) -> None:
    """What changed is followed over the edges as they were."""

    def delta(self: Recursion, before: Op, anchor: Change, step: Change) -> Op:
        begin = UnionAll((anchor.delta, with_working_rows(before, self.working, step.delta)))
        return _followed(self, begin, step.before)

    patch.setattr(Recursion, "_delta", delta)


@found_by(statements.delta_is_the_difference, within=400, drawn=recursive_examples())
def recursion_forgets_its_old_rows(patch: pytest.MonkeyPatch) -> None:
    """Only the anchor's change is followed: a new edge below an old row makes nothing."""

    def delta(self: Recursion, before: Op, anchor: Change, step: Change) -> Op:
        return _followed(self, UnionAll((anchor.delta,)), step.after)

    patch.setattr(Recursion, "_delta", delta)


@found_by(on_storage.every_strategy_is_exact, within=200, drawn=recursive_examples())
def kept_rows_are_taken_for_the_rows_after(patch: pytest.MonkeyPatch) -> None:
    """What stands above a recursion looks at its rows as the storage holds them, for both moments."""
    keep = Recursion.change

    def change(self: Recursion, anchor: Change, step: Change) -> Change:
        found = keep(self, anchor, step)
        return found if self.slot is None else replace(found, after=found.before)

    patch.setattr(Recursion, "change", change)
