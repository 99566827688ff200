"""Which Delta tables are storages of ours. Nothing else is ever dropped, replaced, or read as a stream table."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

from dbt.adapters.trickle.history.delta_files import DeltaLog, LogUnreadable, StampedCommit, last_stamp
from dbt.adapters.trickle.history.delta_files.snapshot import metadata_at
from dbt.adapters.trickle.storages.table_properties import FACADE, QUERY, STORAGE_OF
from trickle import StateError, parse_stamp

CLONE = "CLONE"


class Mark(Enum):
    """What a folder says of itself."""

    OURS = "ours"
    FOREIGN = "foreign"
    NONE = "none"
    """There is no log, or none of it can be read."""


def is_ours(log: DeltaLog, storage: tuple[str, str]) -> bool:
    """Whether the table under this name (schema, identifier) bears our mark."""
    return mark_of(log, storage) is Mark.OURS


def mark_of(log: DeltaLog, storage: tuple[str, str]) -> Mark:
    """A storage says whose it is.

    Before it did, its commits were stamped and its SELECT stood among its properties; a clone copies properties, and
    belongs to whoever made it.
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
        return _mark_in_pieces(log, storage)


def _mark_in_pieces(log: DeltaLog, storage: tuple[str, str]) -> Mark:
    """Of a log that is damaged: by what can still be read of it."""
    definitions = 0
    for action in readable_actions(log):
        told, definition = action.get("commitInfo"), action.get("metaData")
        if isinstance(told, dict) and _is_stamp(told.get("userMetadata")):
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
            # A newer release wrote it: what it says is not for this one to read.
            continue
        if stamp is not None:
            return StampedCommit(stamp, commit)
    return None


def readable_actions(log: DeltaLog) -> Iterator[dict[str, Any]]:
    """What can still be read of a damaged log, the newest commit first, line by line."""
    for version in sorted(log.versions, reverse=True):
        try:
            text = log.commit_file(version).read_text("utf-8", "replace")
        except OSError:
            # Nothing can be read of this commit; another one may bear the mark.
            continue
        for line in text.splitlines():
            try:
                action = json.loads(line)
            except ValueError:
                continue
            if isinstance(action, dict):
                yield action
