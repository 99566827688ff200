"""Names: deterministic aliases for the relations of one query, and the stored names of users' columns."""

from __future__ import annotations

from urllib.parse import unquote

UNSTORABLE = frozenset(" ,;{}()\n\t=%`")
"""Characters that Delta refuses in names of columns, and % by which they are escaped."""
RESERVED_PREFIX = "__trickle_"
FEED_COLUMNS = frozenset({"_change_type", "_commit_version", "_commit_timestamp"})
"""Columns that Delta adds to a change feed: no table with a feed may have them."""


def stored_name(name: str) -> str:
    """`sum(x)` → `sum%28x%29`: a name that Delta accepts and that is not reserved; any other name unchanged."""
    taken = name.lower().startswith(RESERVED_PREFIX) or name.lower() in FEED_COLUMNS
    escaped = "".join(_escaped(character) if character in UNSTORABLE else character for character in name)
    return _escaped(escaped[0]) + escaped[1:] if taken else escaped


def feed_column_name(name: str) -> str:
    """The name of a source's column in its feed, where a column may not have the weight's name."""
    return stored_name(name) if name.lower().startswith(RESERVED_PREFIX) else name


def shown_name(stored: str) -> str:
    """The user's name of a stored column: the inverse of `stored_name`."""
    return unquote(stored, errors="strict")


def _escaped(character: str) -> str:
    return f"%{ord(character):02X}"


class Names:
    """Makes names unique: `orders`, `orders_2`, `orders_3`, in the order of the calls."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def fresh(self, wanted: str) -> str:
        name, number = wanted, 1
        while name.lower() in self._taken:
            number += 1
            name = f"{wanted}_{number}"
        self._taken.add(name.lower())
        return name
