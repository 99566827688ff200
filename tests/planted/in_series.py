"""Windows over a whole order, taken up again wrongly."""

from __future__ import annotations

from typing import Any

import pytest
from sqlglot import exp

from tests.laws import on_storage
from tests.oracle.generate_orders import extended_examples, neighbour_examples, ordered_examples
from tests.planted.planting import found_by
from trickle.apply import extend, row_range
from trickle.apply import order_positions as places
from trickle.delta.nonnegative import only_adds
from trickle.layouts import resumed_windows as resume
from trickle.layouts.resumed_windows import Resumed
from trickle.layouts.series import Series
from trickle.sql.build import all_of, column


@found_by(on_storage.every_strategy_is_exact, within=300, drawn=ordered_examples())
def positions_begin_anew_with_the_stretch(patch: pytest.MonkeyPatch) -> None:
    """The rows before the stretch are not counted."""
    keep = resume._counted  # noqa: SLF001 - the rule itself is what is broken here

    def counted(window: exp.Window, name: str) -> Resumed:
        right = keep(window, name)
        return Resumed(window.copy(), right.earlier)

    patch.setattr(resume, "_counted", counted)


@found_by(on_storage.every_strategy_is_exact, within=300, drawn=neighbour_examples())
def the_row_before_a_change_keeps_its_answer(patch: pytest.MonkeyPatch) -> None:
    """LEAD looks ahead: the row before a changed place has another answer as well."""
    patch.setattr(Series, "ahead", property(lambda self: 0))


@found_by(on_storage.every_strategy_is_exact, within=300, drawn=ordered_examples())
def the_stretch_begins_behind_the_rows_that_tie(patch: pytest.MonkeyPatch) -> None:
    """The rows of the first changed place are held to come before it."""
    keep = places.comes_before

    def comes_before(by: Any, one: Any, other: Any) -> exp.Expr:
        equal = all_of(exp.NullSafeEQ(this=column(left), expression=column(right)) for left, right in zip(one, other))
        assert equal is not None
        return exp.Paren(this=exp.Or(this=keep(by, one, other), expression=equal))

    patch.setattr(row_range, "comes_before", comes_before)


@found_by(on_storage.every_strategy_is_exact, within=300, drawn=ordered_examples())
def null_comes_first_in_every_order(patch: pytest.MonkeyPatch) -> None:
    """NULLS LAST is not asked for."""
    keep = places._less  # noqa: SLF001 - the rule itself is what is broken here

    def less(item: exp.Ordered, one: exp.Expr, other: exp.Expr) -> exp.Expr:
        return keep(exp.Ordered(this=item.this.copy(), desc=item.args.get("desc"), nulls_first=True), one, other)

    patch.setattr(places, "_less", less)


@found_by(on_storage.every_strategy_is_exact, within=300, drawn=ordered_examples())
def rows_that_come_are_held_to_come_last(patch: pytest.MonkeyPatch) -> None:
    """What is only added to is appended, wherever it stands in the order."""
    patch.setattr(extend, "appends_at_end", lambda delta, *_: only_adds(delta))


@found_by(on_storage.every_strategy_is_exact, within=200, drawn=extended_examples())
def rows_are_appended_with_those_they_look_back_at(patch: pytest.MonkeyPatch) -> None:
    """The rows before the new ones are stored a second time."""
    patch.setattr(row_range, "_is_within", lambda layout: exp.true())
