"""Which Delta tables are storages of ours. No other table is ever dropped, replaced, or read as a stream table."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

from dbt.adapters.trickle.history.delta_files import DeltaLog, LogUnreadable, StampedCommit, last_stamp
from dbt.adapters.trickle.history.delta_files.snapshot import metadata_at
from dbt.adapters.trickle.storages.table_properties import FACADE, QUERY, STORAGE_OF
from trickle import StateError
from trickle.catalog.frontier import parse_stamp

CLONE = "CLONE"


class Mark(Enum):
    """The owner of a folder, by its Delta log."""

    OURS = "ours"
    FOREIGN = "foreign"
    NONE = "none"
    """There is no log, or nothing of it can be read."""


def is_ours(log: DeltaLog, storage: tuple[str, str]) -> bool:
    """Whether the table under this name (schema, identifier) is a storage of ours."""
    return mark_of(log, storage) is Mark.OURS


def mark_of(log: DeltaLog, storage: tuple[str, str]) -> Mark:
    """The owner, by the property STORAGE_OF.

    Storages of releases before that property are known by stamps, or by their SELECT in the properties. A clone, which
    copies properties, belongs to the user who made it.
    """
    if not log.exists:
        return Mark.NONE
    try:
        properties = metadata_at(log, log.latest).properties
        if STORAGE_OF in properties:
            ours = properties[STORAGE_OF] == _name(storage)
        else:
            ours = last_stamp(log) is not None or (_is_marked_by(properties) and not _is_cloned(log))
        return Mark.OURS if ours else Mark.FOREIGN
    except (LogUnreadable, StateError):
        return _mark_of_damaged(log, storage)


def _mark_of_damaged(log: DeltaLog, storage: tuple[str, str]) -> Mark:
    """The owner by the parts of a damaged log that can still be read."""
    definitions = 0
    for action in readable_actions(log):
        commit_info, definition = action.get("commitInfo"), action.get("metaData")
        if isinstance(commit_info, dict) and _is_stamp(commit_info.get("userMetadata")):
            return Mark.OURS
        if isinstance(definition, dict):
            definitions += 1
            properties = definition.get("configuration") or {}
            if STORAGE_OF in properties:
                return Mark.OURS if properties[STORAGE_OF] == _name(storage) else Mark.FOREIGN
            if _is_marked_by(properties):
                return Mark.OURS
    return Mark.FOREIGN if definitions else Mark.NONE


def _name(storage: tuple[str, str]) -> str:
    return ".".join(storage).lower()


def _is_marked_by(properties: Mapping[str, object]) -> bool:
    return any(mark in properties for mark in (STORAGE_OF, QUERY, FACADE))


def _is_stamp(text: object) -> bool:
    try:
        return isinstance(text, str) and parse_stamp(text) is not None
    except StateError:
        return True


def _is_cloned(log: DeltaLog) -> bool:
    return any(log.commit(version).operation == CLONE for version in sorted(log.versions))


def readable_stamp(log: DeltaLog) -> StampedCommit | None:
    """The newest stamped commit of a damaged log that can still be read."""
    for version in sorted(log.versions, reverse=True):
        try:
            commit = log.commit(version)
        except LogUnreadable:
            continue
        try:
            stamp = parse_stamp(commit.user_metadata)
        except StateError:
            # A newer release wrote this stamp; this release cannot read it.
            continue
        if stamp is not None:
            return StampedCommit(stamp, commit)
    return None


def readable_actions(log: DeltaLog) -> Iterator[dict[str, Any]]:
    """The actions of a damaged log that can still be read, the newest commit first."""
    for version in sorted(log.versions, reverse=True):
        try:
            text = log.commit_text(version)
        except OSError:
            # This commit cannot be read; another one may have the mark.
            continue
        for line in text.splitlines():
            try:
                action = json.loads(line)
            except ValueError:
                continue
            if isinstance(action, dict):
                yield action
