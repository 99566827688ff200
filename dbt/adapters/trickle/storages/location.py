"""The name and the folder of a storage: whether they are free, ours, or used by something else."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

from dbt_common.exceptions import CompilationError

from dbt.adapters.trickle.history.delta_files import DeltaLog
from dbt.adapters.trickle.names import local_folder
from dbt.adapters.trickle.relation import TrickleRelation
from dbt.adapters.trickle.storages.ownership import Mark, mark_of

LONGEST_NAME = 246
"""The most bytes of a stream table's name: with the storage's suffix it is a folder's name, which may have 255."""

_DATA_FILE = re.compile(r"\.?part-[\w.-]+\.parquet(\.crc)?")
"""The file names of Spark's tasks, and of Hadoop's checksums for them."""

_LOCATION = re.compile(r"^Location: (file:\S.*)$", re.MULTILINE)

ViewNamesStorage = Callable[[], bool]
"""Whether the stream table's view names this storage; called if the storage itself does not record its owner."""


def registered_at(listed: TrickleRelation | None) -> Path | None:
    """The folder of a Delta table by the catalog."""
    match = _LOCATION.search(listed.information or "") if listed is not None and listed.is_delta else None
    return local_folder(match[1]) if match else None


def occupant(
    storage: tuple[str, str],
    listed: TrickleRelation | None,
    intended: Path,
    view_names_storage: ViewNamesStorage,
    managed: bool = False,
    log_of: Callable[[Path], DeltaLog] = DeltaLog,
) -> str:
    """What else uses the storage's name or folder, as a noun phrase; '' if the storage may be written.

    `managed`: the folder is the warehouse's own, where every table is in the catalog.
    """
    if listed is not None and listed.is_view:
        return "a view"
    if listed is not None and not listed.is_delta:
        return "a table that is not a Delta table"
    current = registered_at(listed)
    for folder in dict.fromkeys((current or intended, intended)):
        aborted = managed and listed is None and is_aborted_write(folder)
        if not aborted and not may_replace(storage, folder, view_names_storage, log_of):
            is_table = log_of(folder).exists
            kind = "a Delta table that is not this model's storage" if is_table else "a folder with files in it"
            return f"{kind} ({folder})"
    return ""


def may_replace(
    storage: tuple[str, str],
    folder: Path,
    view_names_storage: ViewNamesStorage,
    log_of: Callable[[Path], DeltaLog] = DeltaLog,
) -> bool:
    """Whether the folder is empty or contains only files of ours."""
    match mark_of(log_of(folder), storage):
        case Mark.OURS:
            return True
        case Mark.FOREIGN:
            return False
        case Mark.NONE:
            return not _has_files(folder) or view_names_storage()


def is_aborted_write(folder: Path) -> bool:
    """Whether the folder has only data files that no commit names, as an aborted first build leaves them."""
    try:
        return all(_DATA_FILE.fullmatch(file.name) or _is_empty_log(file) for file in folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return False


def _is_empty_log(file: Path) -> bool:
    """Whether it is a log without any file: Delta makes folders inside it before the first commit."""
    return file.name == "_delta_log" and file.is_dir() and not any(inside.is_file() for inside in file.rglob("*"))


def _has_files(folder: Path) -> bool:
    try:
        return any(folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return folder.exists()


def refuse_long_name(relation: TrickleRelation) -> None:
    name = str(relation.identifier)
    if len(name.encode()) > LONGEST_NAME:
        raise CompilationError(
            f"The name {name[:40]}… has {len(name.encode())} bytes, and a stream table's may have {LONGEST_NAME}: give "
            "the model a shorter `alias`."
        )


def refuse_occupied(relation: TrickleRelation, storage: TrickleRelation, occupant_text: str) -> None:
    if occupant_text:
        raise CompilationError(
            f"The stream table {relation} stores its rows in {storage}, but there is {occupant_text}, which "
            "dbt-trickle did not create: move it away, or give the model another `alias`."
        )


def clear_remains(folder: Path) -> None:
    """Remove the files that DROP TABLE has left of a storage. The caller has checked that it is ours."""
    if folder.is_dir() and not folder.is_symlink():
        shutil.rmtree(folder)
