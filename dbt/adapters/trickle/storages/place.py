"""The place a storage is to have, its name and its folder: free, ours, or somebody else's."""

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
"""Bytes of a stream table's name: with the suffix of its storage a folder's name, of which 255 may be had."""

_DATA_FILE = re.compile(r"\.?part-[\w.-]+\.parquet(\.crc)?")
"""As Spark names what its tasks write, and Hadoop its checksum beside it."""

_LOCATION = re.compile(r"^Location: (file:\S.*)$", re.MULTILINE)

Points = Callable[[], bool]
"""Whether the view of the stream table says that it shows this storage: asked where the storage itself cannot say."""


def registered_at(seen: TrickleRelation | None) -> Path | None:
    """Where the catalog says that a Delta table lies."""
    match = _LOCATION.search(seen.information or "") if seen is not None and seen.is_delta else None
    return local_folder(match[1]) if match else None


def occupant(
    storage: tuple[str, str], seen: TrickleRelation | None, wanted: Path, points: Points, managed: bool = False
) -> str:
    """What has the storage's name or its folder and is not ours, in words; '' where the storage may be written.

    `managed`: the folder is the warehouse's own, where only tables of the catalog are anybody's.
    """
    if seen is not None and seen.is_view:
        return "a view"
    if seen is not None and not seen.is_delta:
        return "a table that is not a Delta table"
    standing = registered_at(seen)
    for folder in dict.fromkeys((standing or wanted, wanted)):
        cut_off = managed and seen is None and is_cut_off_write(folder)
        if not cut_off and not may_replace(storage, folder, points):
            is_table = DeltaLog(folder).exists
            what = "a Delta table that is not this model's storage" if is_table else "a folder with files in it"
            return f"{what} ({folder})"
    return ""


def may_replace(storage: tuple[str, str], folder: Path, points: Points) -> bool:
    """Whether nothing is in the folder but what we put there."""
    match mark_of(DeltaLog(folder), storage):
        case Mark.OURS:
            return True
        case Mark.FOREIGN:
            return False
        case Mark.NONE:
            return not _has_files(folder) or points()


def is_cut_off_write(folder: Path) -> bool:
    """Whether all there is are data files that no commit names, as a first build leaves them that was cut off."""
    try:
        return all(_DATA_FILE.fullmatch(file.name) or _is_empty_log(file) for file in folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return False


def _is_empty_log(file: Path) -> bool:
    return file.name == "_delta_log" and file.is_dir() and not any(file.iterdir())


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


def refuse_occupied(relation: TrickleRelation, storage: TrickleRelation, found: str) -> None:
    if found:
        raise CompilationError(
            f"The stream table {relation} keeps its rows in {storage}, but there is {found}, which dbt-trickle did not "
            "put there: move that out of the way, or give the model another `alias`."
        )


def clear_remains(folder: Path) -> None:
    """Remove what DROP TABLE has left of a storage. Whoever calls this has seen our mark."""
    if folder.is_dir() and not folder.is_symlink():
        shutil.rmtree(folder)
