"""The tests are good enough: each planted bug is found within a bounded number of examples, or by chosen ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, find, settings
from hypothesis.errors import NoSuchExample

from tests.oracle.generate_scalars import scalar
from tests.planted import (
    in_applying,
    in_deltas,
    in_hidden_rows,
    in_joining_outward,
    in_lowering,
    in_matching,
    in_pruning,
    in_readable_files,
    in_reads,
    in_recursions,
    in_rendering,
    in_series,
    in_source_files,
    in_summaries,
    in_wide_sums,
)
from tests.planted.planting import BUGS, SLIPS, Bug, Slip


@pytest.mark.parametrize("bug", BUGS.values(), ids=BUGS.keys())
def test_the_rule_of_a_bug_is_there(bug: Bug, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planting fails when what it alters was renamed. The search for a bug is too long for every day."""
    bug.plant(monkeypatch)


@pytest.mark.parametrize("bug", BUGS.values(), ids=BUGS.keys())
def test_the_laws_find_a_planted_bug(bug: Bug, monkeypatch: pytest.MonkeyPatch) -> None:
    """The law that is meant to find this bug does."""
    search = settings(max_examples=bug.within, phases=[Phase.generate], database=None, derandomize=True)
    bug.plant(monkeypatch)
    try:
        find(bug.drawn, lambda example: breaks(bug, example), settings=search)
    except NoSuchExample:
        pytest.fail(f"{bug.within} examples did not find it: {bug.plant.__doc__}")


def breaks(bug: Bug, example: Any) -> bool:
    """Whether the law says no to the example. Any other error would be a mistake in the planting itself."""
    try:
        bug.law(example)
    except AssertionError:
        return True
    finally:
        # A bug that alters plans alters the expressions that plans share.
        scalar.cache_clear()
    return False


@pytest.mark.parametrize("slip", SLIPS.values(), ids=SLIPS.keys())
def test_chosen_examples_find_a_planted_bug(slip: Slip, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each test that is meant to find this bug does."""
    slip.plant(monkeypatch)
    for number, check in enumerate(slip.checks):
        folder = tmp_path / str(number)
        folder.mkdir()
        with pytest.raises(AssertionError):
            check(folder)
    scalar.cache_clear()


@pytest.mark.parametrize("slip", SLIPS.values(), ids=SLIPS.keys())
def test_chosen_examples_hold_where_nothing_is_planted(slip: Slip, tmp_path: Path) -> None:
    """A test that fails anyhow finds nothing."""
    for number, check in enumerate(slip.checks):
        folder = tmp_path / str(number)
        folder.mkdir()
        check(folder)


def test_every_file_of_bugs_is_registered() -> None:
    """The bugs are those of these files, each with the sentence that says what is wrong."""
    found_by_laws = {bug.plant.__module__ for bug in BUGS.values()}
    found_by_chosen = {slip.plant.__module__ for slip in SLIPS.values()}

    files = (in_applying, in_deltas, in_lowering, in_matching, in_pruning, in_recursions, in_rendering)
    assert found_by_laws == {
        module.__name__ for module in (*files, in_joining_outward, in_reads, in_series, in_summaries)
    }
    chosen = (in_hidden_rows, in_joining_outward, in_readable_files, in_source_files, in_wide_sums)
    assert found_by_chosen == {module.__name__ for module in chosen}
    assert all(one.plant.__doc__ for one in (*BUGS.values(), *SLIPS.values()))
