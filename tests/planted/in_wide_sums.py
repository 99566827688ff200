"""Wrong sums of wide decimals: one that does not fit must end the statement, and never count as something else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.aggregates import test_wide_decimals
from tests.duck import test_wide_sums
from tests.house import test_reasons_reached
from tests.passes import test_resumed_windows
from tests.planted.planting import Check, check, reword, shown_by
from trickle.aggregates import sum as sums
from trickle.aggregates.maintained import Combine
from trickle.apply import merge_by_key, overwrite_groups, overwrite_summary
from trickle.layouts import resumed_windows
from trickle.planning import fallback

ADDED = check(test_wide_decimals.test_every_way_to_add_states_ends_where_they_do_not_fit)


def on_duck(test: Callable[..., None]) -> Check:
    return check(test, database=lambda folder: test_wide_sums.opened())


STATES = on_duck(test_wide_sums.test_a_state_and_its_change)
FITS = on_duck(test_wide_sums.test_a_change_that_fits_is_exact)
DOES_NOT_FIT = on_duck(test_wide_sums.test_a_change_that_does_not_fit_ends_the_statement)
STORED = on_duck(test_wide_sums.test_a_sum_that_does_not_fit_is_stored_as_none)


@shown_by(STATES)
def an_overflow_beside_a_state_changes_nothing(patch: pytest.MonkeyPatch) -> None:
    """COALESCE(stored + change, stored): the group keeps the sum it had."""
    reword(
        patch,
        Combine,
        "of",
        "exp.Coalesce(this=exp.Add(this=stored, expression=change), expressions=[overflow()])",
        "exp.Coalesce(this=exp.Add(this=stored, expression=change), expressions=[stored.copy()])",
    )


@shown_by(STATES)
def states_without_a_sum_are_left_out(patch: pytest.MonkeyPatch) -> None:
    """SUM passes over the NULL that stands for a sum that did not fit."""
    reword(
        patch, Combine, "of_all", "total = case(every, exp.Sum(this=state), exp.Null())", "total = exp.Sum(this=state)"
    )


@shown_by(DOES_NOT_FIT)
def an_overflow_of_a_product_adds_nothing(patch: pytest.MonkeyPatch) -> None:
    """A value times its weight that has too many digits is NULL, and SUM passes over it."""
    reword(
        patch,
        sums,
        "_summed_wide",
        "default=exp.Coalesce(this=product(term.copy(), weight()), expressions=[overflow()])",
        "default=product(term.copy(), weight())",
    )


@shown_by(DOES_NOT_FIT)
def an_overflow_of_a_change_is_no_change(patch: pytest.MonkeyPatch) -> None:
    """The NULL of a sum that does not fit is taken for that of no rows."""
    reword(patch, sums, "_summed_wide", "integer(0), overflow())])", "integer(0), integer(0))])")


@shown_by(FITS)
def a_removed_row_is_added(patch: pytest.MonkeyPatch) -> None:
    """The sign is lost where no product is computed."""
    reword(patch, sums, "_summed_wide", "true=exp.Neg(this=term.copy())", "true=term.copy()")


@shown_by(FITS)
def a_row_counts_once_whatever_its_weight(patch: pytest.MonkeyPatch) -> None:
    """Three equal rows that came are one."""
    reword(patch, sums, "_summed_wide", "product(term.copy(), weight())", "term.copy()")


@shown_by(FITS)
def a_change_is_that_of_all_rows(patch: pytest.MonkeyPatch) -> None:
    """The FILTER is heard when the table is built, and not later."""
    reword(patch, sums, "_summed_wide", "case(counts.copy(), signed,", "case(not_null(call.tree.this.copy()), signed,")


@shown_by(STORED)
def an_overflow_is_stored_as_nothing(patch: pytest.MonkeyPatch) -> None:
    """0 where Spark has NULL: the next change starts from there."""
    reword(patch, sums, "_summed_wide", "case(no_rows, integer(0), exp.Null())", "integer(0)")


@shown_by(check(test_wide_decimals.test_which_decimals_have_sums))
def wide_sums_are_added_like_any_other(patch: pytest.MonkeyPatch) -> None:
    """Nobody looks whether the new state has a value."""
    reword(patch, sums, "_summed_wide", "cast(checked, stored), Combine.CHECKED_ADD", "cast(checked, stored)")


@shown_by(check(test_wide_decimals.test_which_decimals_have_sums))
def a_product_with_a_weight_always_fits(patch: pytest.MonkeyPatch) -> None:
    """28 digits and more are multiplied as they are."""
    reword(patch, sums, "summed", "exact.precision + WEIGHT_DIGITS + 1", "exact.precision")


def added_unchecked(patch: pytest.MonkeyPatch, module: Any, name: str, combine: str) -> None:
    reword(patch, module, name, f"state.combine.{combine}(", f"Combine.ADD.{combine}(", Combine=Combine)


@shown_by(ADDED)
def a_merge_adds_states_by_itself(patch: pytest.MonkeyPatch) -> None:
    """Stored + change, however the state wants to be combined."""
    added_unchecked(patch, merge_by_key, "_update", "of")


@shown_by(ADDED)
def an_overwrite_adds_states_by_itself(patch: pytest.MonkeyPatch) -> None:
    """SUM(state), however the state wants to be combined."""
    added_unchecked(patch, overwrite_groups, "overwrite_groups", "of_all")


@shown_by(ADDED)
def a_summary_adds_states_by_itself(patch: pytest.MonkeyPatch) -> None:
    """The same for groups that windows look at."""
    added_unchecked(patch, overwrite_summary, "groups_added_up", "of_all")


@shown_by(check(test_resumed_windows.test_a_running_sum_that_does_not_fit_ends_the_statement))
def a_running_sum_is_taken_up_without_a_look(patch: pytest.MonkeyPatch) -> None:
    """What was before and what is here are added, however the state wants to be combined."""
    added_unchecked(patch, resumed_windows, "_added_up", "of")


@shown_by(check(test_reasons_reached.test_the_engine_reaches_a_reason))
def an_overflow_is_any_bad_value(patch: pytest.MonkeyPatch) -> None:
    """The result is recomputed because of a bad value, and nobody reads that it was a sum."""
    patch.setattr(fallback, "RAISED_BY_US", tuple(code for code in fallback.RAISED_BY_US if code != "sum_overflows"))
