"""Names: deterministic ones for the relations of one query, and what a user's column is called where it is stored."""

from __future__ import annotations

from urllib.parse import unquote

UNSTORABLE = frozenset(" ,;{}()\n\t=%`")
"""Characters that Delta refuses in names of columns, and the one that stands for them."""
OURS = "__trickle_"
FEED = frozenset({"_change_type", "_commit_version", "_commit_timestamp"})
"""Columns that Delta adds to a change feed, so that no table with a feed may have them."""


def stored_name(name: str) -> str:
    """`sum(x)` → `sum%28x%29`: any name as Delta takes it, and none that is ours. What need not change stays."""
    taken = name.lower().startswith(OURS) or name.lower() in FEED
    escaped = "".join(_escaped(one) if one in UNSTORABLE else one for one in name)
    return _escaped(escaped[0]) + escaped[1:] if taken else escaped


def beside_weight(name: str) -> str:
    """What a feed calls a column of its source, which may bear the weight's own name."""
    return stored_name(name) if name.lower().startswith(OURS) else name


def shown_name(stored: str) -> str:
    """The name users see."""
    return unquote(stored, errors="strict")


def _escaped(character: str) -> str:
    return f"%{ord(character):02X}"


class Names:
    """Hands out each name once: `orders`, `orders_2`, `orders_3`. Order of asking is order of numbers."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def fresh(self, wanted: str) -> str:
        name, number = wanted, 1
        while name.lower() in self._taken:
            number += 1
            name = f"{wanted}_{number}"
        self._taken.add(name.lower())
        return name
