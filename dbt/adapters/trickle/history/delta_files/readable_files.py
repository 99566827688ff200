"""Which files of a table Spark can read by their paths: at a version, and those that an append added."""

from __future__ import annotations

from collections.abc import Sequence

from dbt.adapters.trickle.history.delta_files.commit import Commit, DataFile
from dbt.adapters.trickle.history.delta_files.log import LogUnreadable
from dbt.adapters.trickle.history.delta_files.metadata import Metadata
from dbt.adapters.trickle.history.delta_files.plain_files import has_columns, is_plain, paths_of
from dbt.adapters.trickle.history.delta_files.snapshot import metadata_at
from dbt.adapters.trickle.history.delta_files.whole_files import present_files
from dbt.adapters.trickle.history.table_history import TableHistory
from trickle import Column, Probe
from trickle.catalog.happened import Appended
from trickle.catalog.source_files import DataFiles, SourceFiles

MANY = 100
"""Files up to which Spark lists them faster than Delta does. Each is opened to see whether it has wanted rows."""


def readable_files(log: TableHistory, probe: Probe) -> SourceFiles:
    """What of a source can be read by its files."""
    if probe.now.version < 0:
        return SourceFiles()
    try:
        definition = metadata_at(log, probe.now.version)
        if not is_plain(definition):
            return SourceFiles()
        changes = probe.changes
        now = _at_version(log, probe.now.version, definition)
        if changes is None:
            return SourceFiles(now)
        commits = [log.commit(version) for version in range(changes.since.version + 1, probe.now.version + 1)]
        if any(commit.metadata is not None for commit in commits):
            # Columns may have come since, which the older files do not have.
            return SourceFiles(now)
        before = _at_version(log, changes.since.version, definition)
        added = _added(log, definition, commits) if isinstance(probe.happened, Appended) else None
        return SourceFiles(now, before, added)
    except LogUnreadable:
        return SourceFiles()


def _at_version(log: TableHistory, version: int, definition: Metadata) -> DataFiles | None:
    return _readable(log, definition, list(present_files(log, version).values()))


def _added(log: TableHistory, definition: Metadata, commits: Sequence[Commit]) -> DataFiles | None:
    return _readable(log, definition, [file for commit in commits for file in commit.added])


def _readable(log: TableHistory, definition: Metadata, files: list[DataFile]) -> DataFiles | None:
    if not 0 < len(files) <= MANY or not all(has_columns(file, definition) for file in files):
        return None
    paths = paths_of(log, files)
    columns = tuple(Column(own.name, own.type) for own in definition.columns)
    return DataFiles(paths, columns) if paths else None
