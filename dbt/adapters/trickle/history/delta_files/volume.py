"""How much a range of commits changed: an estimate for prices and hints, never for correctness."""

from __future__ import annotations

from collections.abc import Sequence

from dbt.adapters.trickle.history.delta_files.commit import Commit, DataFile
from dbt.adapters.trickle.history.delta_files.snapshot import Size
from trickle.catalog.probe import Volume

_METRICS = {
    "MERGE": (
        ("numTargetRowsInserted", "numTargetRowsUpdated"),
        ("numTargetRowsDeleted", "numTargetRowsUpdated"),
    ),
    "UPDATE": (("numUpdatedRows",), ("numUpdatedRows",)),
    "DELETE": ((), ("numDeletedRows",)),
}
"""Operation → the metrics that add up to rows added, and to rows removed."""


def volume_of(commits: Sequence[Commit], size: Size) -> Volume:
    """The sum over the range. `size` is the table at its end."""
    each = [_commit_volume(commit, size) for commit in commits if commit.changes_data]
    return Volume(
        sum(volume.added for volume in each),
        sum(volume.removed for volume in each),
        sum(volume.bytes for volume in each),
        sum(volume.files for volume in each),
    )


def _commit_volume(commit: Commit, size: Size) -> Volume:
    read = commit.feed_files
    added, removed = _from_metrics(commit) or _from_files(commit, size)
    return Volume(added, removed, sum(file.size for file in read), len(read))


def _from_files(commit: Commit, size: Size) -> tuple[int, int]:
    before = {file.path: file for file in commit.removed}
    added = removed = 0
    for file in commit.added:
        replaced = before.pop(file.path, None)
        if replaced is None:
            added += _rows(file, size)
        else:
            removed += max(0, _rows(replaced, size) - _rows(file, size))
    removed += sum(_rows(file, size) for file in before.values())
    return added, removed


def _from_metrics(commit: Commit) -> tuple[int, int] | None:
    """A rewritten file holds rows that were only copied; the writer's own count leaves them out."""
    names = _METRICS.get(commit.operation)
    if names is None:
        return None
    counts = commit.metric_rows
    if not any(name in counts for side in names for name in side):
        return None
    inserted, deleted = (sum(counts.get(name, 0) for name in side) for side in names)
    return inserted, deleted


def _rows(file: DataFile, size: Size) -> int:
    """Removed files often come without statistics: then in proportion to their bytes."""
    if file.rows is not None:
        return file.rows
    if size.rows and size.bytes:
        return round(file.size * size.rows / size.bytes)
    return 0
