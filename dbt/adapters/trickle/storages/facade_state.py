"""The relation under a stream table's name, compared with the view that was created there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Protocol

from dbt.adapters.trickle.storages.facade import Facade, text_fingerprint

STORAGE = "trickle.storage"
"""Property of the view: its storage."""

TEXT = "trickle.text"
"""Property of the view: the fingerprint of its text. CREATE OR REPLACE removes it, ALTER VIEW leaves it unchanged."""

PINNED = "pinned"
"""In the place of the fingerprint, while the view shows the storage's old version."""

_PROPERTY = re.compile(r"(?:^\[|, ?)(trickle\.\w+)=([^,\]]*)")


class Entry(Protocol):
    """A relation as the catalog describes it."""

    @property
    def names(self) -> tuple[str, ...]: ...

    @property
    def comments(self) -> Mapping[str, str]: ...

    @property
    def details(self) -> Mapping[str, str]: ...

    @property
    def is_view(self) -> bool: ...


def marks(entry: Entry) -> Mapping[str, str]:
    """The `trickle.*` properties of the entry."""
    return dict(_PROPERTY.findall(entry.details.get("Table Properties", "")))


def shows(entry: Entry | None, storage: tuple[str, str]) -> bool:
    """Whether the entry is a view that was created in front of this storage."""
    if entry is None or not entry.is_view:
        return False
    return shown_storage(marks(entry)) == storage


def shown_storage(properties: Mapping[str, str]) -> tuple[str, ...]:
    """Schema and name of the storage that a view's properties name; ('',) for none."""
    return tuple(properties.get(STORAGE, "").replace("`", "").lower().split(".")[-2:])


def fault(entry: Entry | None, storage: tuple[str, str]) -> str:
    """What differs from our view, as a clause; '' if it is our view, unaltered."""
    if entry is None:
        return "it is gone"
    if not entry.is_view:
        return "there is a table under its name"
    if not shows(entry, storage):
        return "there is another view under its name"
    mark = marks(entry).get(TEXT)
    if mark is not None and mark != text_fingerprint(entry.details.get("View Text", "")):
        return "its text was altered"
    return ""


def is_unmarked(entry: Entry) -> bool:
    """Whether an earlier release created the view, which stored no fingerprint of its text."""
    return TEXT not in marks(entry)


def difference(entry: Entry | None, storage: tuple[str, str], facade: Facade) -> str:
    """`fault`, or what differs from the expected text, columns and comments."""
    clause = fault(entry, storage)
    if clause or entry is None:
        return clause
    if text_fingerprint(entry.details.get("View Text", "")) != facade.text_fingerprint:
        return "its text was altered"
    if [name.lower() for name in entry.names] != [column.name.lower() for column in facade.columns]:
        return "its columns were altered"
    expected_comments = {column.name.lower(): column.comment for column in facade.columns if column.comment}
    if any(entry.comments.get(name, "") != comment for name, comment in expected_comments.items()):
        return "its columns' comments were altered"
    if facade.comment and entry.details.get("Comment", "") != facade.comment:
        return "its comment was altered"
    return ""
