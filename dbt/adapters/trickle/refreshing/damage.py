"""Damage of a storage's files that shows only when a statement reads them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from dbt.adapters.trickle.storages.storage_state import damaged
from trickle import Failure, Reason, Target

UNREADABLE_FILE = "FAILED_READ_FILE"
"""Spark's condition for a file that is gone, or is not what its name says; `path` names it."""

UNREADABLE_FILES = "FAILED_TO_CREATE_PLAN_FOR_DIRECT_QUERY"
"""The same for files that are read by their paths, none of which it names."""

LOG_FOLDER = "_delta_log"


@dataclass(frozen=True)
class Damage:
    """What is wrong with a storage: it is made again from its sources."""

    reason: Reason
    of_log: bool = False
    """Whether it is its log, so that Delta cannot even replace it."""


def damage_behind(failure: Failure, target: Target, folder: str) -> Damage | None:
    """The damage of the storage in a folder of this name that made a statement fail; None where it was something else.

    A file elsewhere is a source's, whose owner must mend it.
    """
    unreadable = failure.first(UNREADABLE_FILE)
    if unreadable is not None:
        path = unreadable.parameters.get("path", "").removeprefix("file:")
        parts = PurePath(path).parts
        if folder not in parts:
            return None
        return Damage(damaged(f"Spark cannot read {path}"), LOG_FOLDER in parts)
    if failure.first(UNREADABLE_FILES) is not None and target.paths:
        return Damage(damaged("Spark cannot read one of its files"))
    return None
