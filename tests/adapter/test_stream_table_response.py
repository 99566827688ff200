"""The report of a refresh: short on the console, complete in run_results."""

from __future__ import annotations

import pytest

from dbt.adapters.trickle.history.delta_files.commit import Commit, DataFile
from dbt.adapters.trickle.monitoring.counts import RowCounts, row_counts, version_steps
from dbt.adapters.trickle.refreshing.response import MESSAGE_LENGTH, message
from trickle import Action


def commit(operation: str, removed: int = 0, **metrics: int) -> Commit:
    return Commit(
        version=1,
        committed_at=0,
        operation=operation,
        parameters={},
        metrics={name: str(value) for name, value in metrics.items()},
        user_metadata=None,
        adds=(),
        removes=tuple(DataFile(f"f{number}", 1, None, True) for number in range(removed)),
        change_files=(),
        metadata=None,
    )


@pytest.mark.parametrize(
    ("action", "strategy", "counts", "expected"),
    [
        (Action.NO_DATA, "none", RowCounts(0, 0, 0), "NO_DATA"),
        (Action.INCREMENTAL, "merge", RowCounts(12, 3, 1), "INCREMENTAL +12 ~3 -1 merge"),
        (Action.APPEND, "append", RowCounts(2, 0, 0), "APPEND +2 append"),
        (Action.FULL, "create", RowCounts(3, 0, 0), "FULL +3 (first_build)"),
    ],
)
def test_message(action: Action, strategy: str, counts: RowCounts, expected: str) -> None:
    """Zero counts are left out; a rebuild has its reason, a refresh its strategy."""
    assert message(action, "first_build", strategy, counts) == expected


def test_the_message_is_short() -> None:
    """dbt does not truncate it."""
    assert len(message(Action.REINITIALIZE, "x" * 90, "", RowCounts(1, 1, 1))) == MESSAGE_LENGTH


def test_a_merge_has_its_own_counts() -> None:
    """MERGE reports inserted, updated and deleted rows."""
    merged = commit("MERGE", numTargetRowsInserted=2, numTargetRowsUpdated=1, numTargetRowsDeleted=4)

    assert row_counts(merged, 100) == RowCounts(2, 1, 4)


def test_an_overwrite_replaces_all_rows() -> None:
    """Delta counts the rows written; all rows before are deleted."""
    assert row_counts(commit("WRITE", removed=1, numOutputRows=7), 5) == RowCounts(7, 0, 5)


def test_an_append_removes_nothing() -> None:
    """A WRITE that removes no file only adds."""
    assert row_counts(commit("WRITE", numOutputRows=7), 5) == RowCounts(7, 0, 0)


def test_no_commit_no_rows() -> None:
    """Nothing written counts as zero, not as unknown."""
    assert row_counts(None, 5) == RowCounts(0, 0, 0)


def test_versions_are_reported_per_source() -> None:
    """Before and after; a source read whole has no before."""
    steps = version_steps({"s.b": 1}, {"s.b": 2, "s.a": 0}, whole=False)

    assert [(step.source, step.before, step.after) for step in steps] == [("s.a", None, 0), ("s.b", 1, 2)]
    assert [step.before for step in version_steps({"s.b": 1}, {"s.b": 2}, whole=True)] == [None]
