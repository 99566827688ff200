"""Which files hold the rows an appended range added: what makes an append readable without a change feed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import unquote

from dbt.adapters.trickle.delta_log.commit import Commit
from dbt.adapters.trickle.delta_log.log import DeltaLog
from dbt.adapters.trickle.delta_log.metadata import Metadata

MANY = 64
"""Files up to which reading each by its path beats one scan of the table."""


@dataclass(frozen=True)
class AddedFiles:
    """Absolute paths when each file says all of its rows, and names when all still belong to the table."""

    paths: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


def added_files(log: DeltaLog, definition: Metadata, commits: Sequence[Commit]) -> AddedFiles:
    """A partition column is not in the file, a mapped column has another name there, a deletion vector hides rows:
    such files are only read through the table, which needs them not to have been compacted away since."""
    files = [file for commit in commits for file in commit.added]
    paths = [log.data_file(file.path) for file in files]
    if (
        definition.named_in_files
        and len(files) <= MANY
        and not any(file.hides_rows for file in files)
        and all(path.exists() for path in paths)
    ):
        return AddedFiles(paths=tuple(str(path) for path in paths))
    if any(commit.removes for commit in commits):
        return AddedFiles()
    return AddedFiles(names=tuple(PurePosixPath(unquote(file.path)).name for file in files))
