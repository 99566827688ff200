"""Damage of a storage's files that shows only when a statement reads them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from dbt.adapters.trickle.storages.storage_state import damaged
from trickle import Failure, Reason

UNREADABLE_FILE = ("FAILED_READ_FILE", "PATH_NOT_FOUND")
"""Spark's conditions for a file that is gone, or is not what its name says; `path` names it."""

LOG_FOLDER = "_delta_log"


@dataclass(frozen=True)
class Damage:
    """What is wrong with a storage: it is made again from its sources."""

    reason: Reason
    of_log: bool = False
    """Whether it is its log, so that Delta cannot even replace it."""


def damage_behind(failure: Failure, folder: str) -> Damage | None:
    """The damage of the storage in a folder of this name that made a statement fail; None where it was something else.

    A file elsewhere is a source's, whose owner must mend it.
    """
    unreadable = failure.first(*UNREADABLE_FILE)
    if unreadable is not None:
        path = unreadable.parameters.get("path", "").removeprefix("file:")
        parts = PurePath(path).parts
        if folder not in parts:
            return None
        return Damage(damaged(f"Spark cannot read {path}"), LOG_FOLDER in parts)
    return None
