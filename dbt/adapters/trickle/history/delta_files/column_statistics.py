"""Where the values of a source lie: in the rows that came and went, and in each of its files. No row is read."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import or_
from urllib.parse import unquote

from dbt.adapters.trickle.history.delta_files.commit import Commit, FileFacts
from dbt.adapters.trickle.history.delta_files.log import LogUnreadable
from dbt.adapters.trickle.history.delta_files.snapshot import files_at, metadata_at
from dbt.adapters.trickle.history.delta_files.statistics import ranged_columns, ranges_of_file
from dbt.adapters.trickle.history.table_history import TableHistory
from trickle import Probe, SourcePosition
from trickle.catalog.happened import Appended, Changed, NotVersioned
from trickle.plan.ranges import ColumnStatistics, FileStatistics, Ranges

MANY_FILES = 2000
"""Changed files up to which their statistics are read: an answer must cost milliseconds."""
LARGE = 16 * 1024 * 1024
"""Bytes from which on it pays to leave out files of a table: below, compiling a literal costs more than reading."""


def column_statistics(log: TableHistory, probe: Probe, large: int = LARGE) -> ColumnStatistics:
    """The ranges of the source's values by its log; empty where there are none."""
    if isinstance(probe.happened, NotVersioned) or probe.now.version < 0:
        return ColumnStatistics()
    try:
        columns = ranged_columns(metadata_at(log, probe.now.version))
        files = _files(log, probe, columns) if probe.size.bytes >= large else ()
        changed = {}
        if isinstance(probe.happened, (Appended, Changed)) and probe.changes is not None:
            changed = _changed(log, probe.changes.since, probe.now, columns)
    except LogUnreadable:
        return ColumnStatistics()
    return ColumnStatistics(changed, files)


def _files(log: TableHistory, probe: Probe, columns: Mapping[str, str]) -> tuple[FileStatistics, ...]:
    files = files_at(log, probe.now.version)
    return tuple(
        FileStatistics(file.size, ranges_of_file(columns, file.stats, file.partition), file.rows)
        for file in files.values()
    )


def _changed(
    log: TableHistory, since: SourcePosition, now: SourcePosition, columns: Mapping[str, str]
) -> dict[str, Ranges]:
    """Every row that came or went is in a file that was added or removed: together they bound the change."""
    commits = [log.commit(version) for version in range(since.version + 1, now.version + 1)]
    changed = [file.path for commit in commits for file in (*commit.added, *commit.removed)]
    if not columns or not changed or len(changed) > MANY_FILES:
        return {}
    known = _facts(log, since.version, commits, changed)
    if known is None:
        return {}
    each = [ranges_of_file(columns, known[path].stats, known[path].partition) for path in dict.fromkeys(changed)]
    everywhere = [name for name in columns if all(name in ranges for ranges in each)]
    return {name: reduce(or_, (ranges[name] for ranges in each), Ranges()) for name in everywhere}


def _facts(log: TableHistory, before: int, commits: list[Commit], paths: list[str]) -> Mapping[str, FileFacts] | None:
    """The statistics of changed files. Delta leaves them out of what it removes: they are where the file was added."""
    known = {file.path: file.facts for commit in commits for file in commit.adds}
    if all(path in known for path in paths):
        return known
    known = {**{unquote(path): facts for path, facts in files_at(log, before).items()}, **known}
    wanted = {path: known.get(path) or known.get(unquote(path)) for path in paths}
    complete = {path: facts for path, facts in wanted.items() if facts is not None}
    return complete if len(complete) == len(wanted) else None
