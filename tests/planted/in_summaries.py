"""What is said of groups, computed wrongly from those that are stored."""

from __future__ import annotations

import pytest
from sqlglot import exp

from tests.laws import on_storage
from tests.oracle.generate_summaries import summary_examples
from tests.planted.planting import found_by
from trickle.apply import overwrite_touched
from trickle.layouts import summary
from trickle.layouts.summary import Summary
from trickle.operators import SemiJoin, UnionAll
from trickle.plan.op import Op


@found_by(on_storage.every_strategy_is_exact, within=1000, drawn=summary_examples())
def hidden_groups_take_part_in_windows(patch: pytest.MonkeyPatch) -> None:
    """A group that HAVING hides stands in the partition of those that are seen."""
    patch.setattr(summary, "_separate", lambda tree: tree.copy())


@found_by(on_storage.every_strategy_is_exact, within=1000, drawn=summary_examples())
def conditions_that_are_not_known_let_groups_pass(patch: pytest.MonkeyPatch) -> None:
    """A condition that is NULL for a group is held to be true."""
    keep = summary._Above._hiding  # noqa: SLF001 - the rule itself is what is broken here

    def hiding(self: summary._Above, below: Op, condition: exp.Expr) -> Op:
        return keep(self, below, exp.Coalesce(this=condition.copy(), expressions=[exp.true()]))

    patch.setattr(summary._Above, "_hiding", hiding)  # noqa: SLF001


@found_by(on_storage.every_strategy_is_exact, within=1000, drawn=summary_examples())
def touched_groups_stay_as_they_were(patch: pytest.MonkeyPatch) -> None:
    """What is read again of them stands beside what was stored."""
    keep = overwrite_touched.groups_read_again

    def after(change: object, layout: Summary, statistics: object) -> Op:
        found = keep(change, layout, statistics)  # type: ignore[arg-type]
        assert isinstance(found, UnionAll)
        first, *rest = found.inputs
        assert isinstance(first, SemiJoin)
        return UnionAll((first.left, *rest))

    patch.setattr(overwrite_touched, "groups_read_again", after)
