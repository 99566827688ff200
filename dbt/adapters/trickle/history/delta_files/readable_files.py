"""Which files of a table Spark can read by their paths: at a version, and those by which its rows came and went."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dbt.adapters.trickle.history.delta_files.commit import ChangeFile, Commit, DataFile
from dbt.adapters.trickle.history.delta_files.log import LogUnreadable
from dbt.adapters.trickle.history.delta_files.metadata import Metadata
from dbt.adapters.trickle.history.delta_files.plain_files import has_columns, is_plain, named
from dbt.adapters.trickle.history.delta_files.snapshot import metadata_at
from dbt.adapters.trickle.history.delta_files.vectors import Vector
from dbt.adapters.trickle.history.delta_files.whole_files import present_files
from dbt.adapters.trickle.history.table_history import Named, TableHistory
from trickle import Column, Probe
from trickle.catalog.change_sources import FeedRange
from trickle.catalog.happened import Appended
from trickle.catalog.source_files import DataFiles, FileRows, Positions, SourceFiles
from trickle.plan.schema import WEIGHT

MANY = 100
"""Files up to which Spark lists them faster than Delta does. Each is opened to see whether it has wanted rows."""
FEW_PARTS = 2
"""Files with hidden rows of a whole table up to which each is read by itself: Spark moves a semijoin above into every
one of them, with all that it looks into. Q20 took twice as long by nine."""
MANY_PARTS = 12
"""The same of a change: Spark plans every one of them."""
POSITION_STRUCT = "_metadata"
"""The column in which Spark gives a row's position in its file."""
MANY_POSITIONS = 2_000_000
"""Positions up to which every task is given all of them."""


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
        if isinstance(probe.happened, Appended):
            return SourceFiles(now, before, _added(log, definition, commits))
        fed = isinstance(changes.rows, FeedRange)
        change = _came_and_went(log, changes.since.version, definition, commits) if fed else None
        return SourceFiles(now, before, change)
    except LogUnreadable:
        return SourceFiles()


def _at_version(log: TableHistory, version: int, definition: Metadata) -> DataFiles | None:
    files = list(present_files(log, version).values())
    if not all(has_columns(file, definition) for file in files):
        return None
    whole = [file for file in files if not file.hides_rows]
    parts = [Some(file, without=file.deleted) for file in files if file.hides_rows]
    return _readable(log, definition, whole, parts) if len(parts) <= FEW_PARTS else None


def _added(log: TableHistory, definition: Metadata, commits: Sequence[Commit]) -> DataFiles | None:
    files = [file for commit in commits for file in commit.added]
    if any(file.hides_rows for file in files) or not all(has_columns(file, definition) for file in files):
        return None
    return _readable(log, definition, files)


@dataclass(frozen=True)
class Some:
    """Rows of a data file: without those that a vector hides, and of these only what another one hides."""

    file: DataFile
    without: Vector | None = None
    only: Vector | None = None
    weight: int = 1


def _came_and_went(log: TableHistory, since: int, definition: Metadata, commits: Sequence[Commit]) -> DataFiles | None:
    """What the feed of these commits holds, read as Delta reads it: from its own files, or else from the data files."""
    known = dict(present_files(log, since))
    feed: list[ChangeFile] = []
    whole: list[DataFile] = []
    parts: list[Some] = []
    for commit in commits:
        added, removed = ({file.path: file for file in files} for files in (commit.added, commit.removed))
        known.update((file.path, file) for file in commit.adds)
        if any(path not in known or not has_columns(known[path], definition) for path in (*added, *removed)):
            return None
        if commit.change_files:
            feed += commit.change_files
            continue
        whole += [file for path, file in added.items() if path not in removed and not file.hides_rows]
        parts += [Some(file, file.deleted) for path, file in added.items() if path not in removed and file.hides_rows]
        parts += [Some(file, file.deleted, weight=-1) for path, file in removed.items() if path not in added]
        for file, before in ((file, removed[path]) for path, file in added.items() if path in removed):
            if file.deleted is not None:
                parts.append(Some(file, before.deleted, file.deleted, weight=-1))
            if before.deleted is not None:
                parts.append(Some(file, file.deleted, before.deleted))
    return _readable(log, definition, whole, parts, feed, signed=True)


def _readable(
    log: TableHistory,
    definition: Metadata,
    whole: Sequence[DataFile],
    parts: Sequence[Some] = (),
    feed: Sequence[ChangeFile] = (),
    signed: bool = False,
) -> DataFiles | None:
    files: list[Named] = [*whole, *(part.file for part in parts), *feed]
    vectors = [vector for part in parts for vector in (part.without, part.only) if vector is not None]
    by_position = sum(part.without is not None or part.only is not None for part in parts)
    # A column may have the name of what is read beside it: of the row's position, or of its weight.
    taken = ({POSITION_STRUCT} if by_position else set()) | ({WEIGHT} if signed else set())
    hidden = any(own.name.lower() in taken for own in definition.columns)
    too_many = by_position > MANY_PARTS or sum(vector.rows for vector in vectors) > MANY_POSITIONS
    if not 0 < len(files) <= MANY or too_many or hidden or not all(vector.path or vector.inline for vector in vectors):
        return None
    in_files = [vector for vector in vectors if vector.path]
    paths, of_vectors = named(log, files), dict(zip(in_files, log.paths(in_files)))
    if not paths or len(of_vectors) < len(set(in_files)):
        return None

    def positions(vector: Vector | None) -> Positions | None:
        if vector is None:
            return None
        return Positions(vector.rows, of_vectors.get(vector, ""), vector.offset, vector.inline)

    columns = tuple(Column(own.name, own.type) for own in definition.columns)
    last = len(whole) + len(parts)
    some = tuple(
        FileRows(path, positions(part.without), positions(part.only), part.weight)
        for path, part in zip(paths[len(whole) : last], parts)
    )
    return DataFiles(paths[: len(whole)], columns, some, paths[last:], signed)
