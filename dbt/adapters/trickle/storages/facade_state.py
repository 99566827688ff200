"""What stands under a stream table's name, compared with the view that was put there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Protocol

from dbt.adapters.trickle.storages.facade import Facade, text_mark

STORAGE = "trickle.storage"
"""Property of the view: the storage it shows."""

TEXT = "trickle.text"
"""Property of the view: the fingerprint of its text. CREATE OR REPLACE takes it away, ALTER VIEW leaves it behind."""

_PROPERTY = re.compile(r"(?:^\[|, ?)(trickle\.\w+)=([^,\]]*)")


class Entry(Protocol):
    """What the catalog says of a relation."""

    @property
    def names(self) -> tuple[str, ...]: ...

    @property
    def comments(self) -> Mapping[str, str]: ...

    @property
    def details(self) -> Mapping[str, str]: ...

    @property
    def is_view(self) -> bool: ...


def marks(entry: Entry) -> Mapping[str, str]:
    """Our properties among those of the entry."""
    return dict(_PROPERTY.findall(entry.details.get("Table Properties", "")))


def shows(entry: Entry | None, storage: tuple[str, str]) -> bool:
    """Whether the entry is a view that was put there to show this storage."""
    if entry is None or not entry.is_view:
        return False
    said = marks(entry).get(STORAGE, "").replace("`", "").lower().split(".")
    return tuple(said[-2:]) == storage


def fault(entry: Entry | None, storage: tuple[str, str]) -> str:
    """What users read in place of our view, in words; '' where it is the view, as it was put up."""
    if entry is None:
        return "it is gone"
    if not entry.is_view:
        return "a table stands in its place"
    if not shows(entry, storage):
        return "another view stands in its place"
    mark = marks(entry).get(TEXT)
    if mark is not None and mark != text_mark(entry.details.get("View Text", "")):
        return "its text was altered"
    return ""


def is_unmarked(entry: Entry) -> bool:
    """Whether an earlier release put the view up, which kept no mark of the text."""
    return TEXT not in marks(entry)


def difference(entry: Entry | None, storage: tuple[str, str], facade: Facade) -> str:
    """The same for a view whose text, columns and comments are known."""
    found = fault(entry, storage)
    if found or entry is None:
        return found
    if text_mark(entry.details.get("View Text", "")) != facade.text:
        return "its text was altered"
    if [name.lower() for name in entry.names] != [column.name.lower() for column in facade.columns]:
        return "its columns were altered"
    wanted = {column.name.lower(): column.comment for column in facade.columns if column.comment}
    if any(entry.comments.get(name, "") != comment for name, comment in wanted.items()):
        return "its columns' comments were altered"
    if facade.comment and entry.details.get("Comment", "") != facade.comment:
        return "its comment was altered"
    return ""
