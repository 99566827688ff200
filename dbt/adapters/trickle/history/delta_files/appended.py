"""Which files hold the rows an appended range added: what makes an append readable without a change feed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from urllib.parse import unquote

from dbt.adapters.trickle.history.delta_files.commit import Commit, DataFile
from dbt.adapters.trickle.history.delta_files.metadata import Metadata
from dbt.adapters.trickle.history.delta_files.plain_files import has_columns, is_plain, paths_of
from dbt.adapters.trickle.history.table_history import TableHistory
from trickle.catalog.change_sources import AddedFiles, NamedFiles

MANY = 64
"""Files up to which reading each by its path beats one scan of the table."""

_UNIQUE = re.compile(r"[\w.-]*[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}[\w.-]*", re.ASCII)
"""Names with a UUID, as writers of Delta give them: no two files of a table share one, in whichever folder."""


def added_files(log: TableHistory, definition: Metadata, commits: Sequence[Commit]) -> AddedFiles | NamedFiles | None:
    """Files of plain columns by their paths; all others through the table, by Delta's own reading of them.

    The table must still hold them then: rows that were compacted since are in other files. None where neither works.
    """
    files = [file for commit in commits for file in commit.added]
    if len(files) <= MANY and is_plain(definition) and all(has_columns(file, definition) for file in files):
        paths = paths_of(log, files)
        if paths:
            return AddedFiles(paths)
    if any(commit.removes for commit in commits) or _hides_file_of_row(definition):
        return None
    names = tuple(map(_name, files))
    return NamedFiles(names, log.latest) if names and all(map(_UNIQUE.fullmatch, names)) else None


def _name(file: DataFile) -> str:
    return PurePosixPath(unquote(file.path)).name


def _hides_file_of_row(definition: Metadata) -> bool:
    """Spark's `_metadata` holds the file of a row, unless the table has a column of that name."""
    return any(column.name.lower() == "_metadata" for column in definition.columns)
