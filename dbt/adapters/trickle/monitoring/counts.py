"""Counts of one refresh: the source versions it read and the storage rows it wrote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dbt.adapters.trickle.history.delta_files.commit import Commit


@dataclass
class VersionStep:
    """The versions of a source before and after a refresh; `before` is None when the source was read whole."""

    source: str
    before: int | None
    after: int


@dataclass(frozen=True)
class RowCounts:
    """Rows that a commit inserted, updated and deleted; None where the writer does not count them."""

    inserted: int | None = None
    updated: int | None = None
    deleted: int | None = None

    @property
    def touched(self) -> int | None:
        known = [count for count in (self.inserted, self.updated, self.deleted) if count is not None]
        return sum(known) if known else None


def row_counts(commit: Commit | None, rows_before: int | None) -> RowCounts:
    """The writer's metrics. An overwrite counts only the rows it wrote; it deleted all the rows before it."""
    if commit is None:
        return RowCounts(0, 0, 0)
    metrics = commit.metric_rows
    if commit.operation == "MERGE":
        return RowCounts(
            metrics.get("numTargetRowsInserted", 0),
            metrics.get("numTargetRowsUpdated", 0),
            metrics.get("numTargetRowsDeleted", 0),
        )
    replaces = commit.replaces or bool(commit.removed)
    return RowCounts(metrics.get("numOutputRows", 0), 0, rows_before if replaces else 0)


def version_steps(before: Mapping[str, int], after: Mapping[str, int], whole: bool) -> Sequence[VersionStep]:
    """Every source of a refresh, sorted by name."""
    return [VersionStep(name, None if whole else before.get(name), after[name]) for name in sorted(after)]
