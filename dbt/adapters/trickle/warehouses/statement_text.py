"""The text of a statement: how it begins, and what it leaves as it is."""

from __future__ import annotations

import re

_COMMENT = re.compile(r"/\*.*?\*/|--[^\n]*", re.DOTALL)
_WRITES_NO_TABLE = ("select ", "show ", "describe ", "desc ", "explain ", "use ", "set ")
_LEAVES_CATALOG = frozenset(
    "select with from values table merge insert update delete describe desc show explain set reset use "
    "optimize vacuum refresh cache uncache clear begin commit rollback".split()
)


def first_words(sql: str) -> str:
    """How a statement is called while it runs: without comments, on one line."""
    return " ".join(_COMMENT.sub(" ", sql[:2000]).split())[:100]


def writes_no_table(sql: str) -> bool:
    """Whether the statement is known to leave all tables, and so their logs, as they are."""
    return first_words(sql).lower().startswith(_WRITES_NO_TABLE)


def leaves_catalog(sql: str) -> bool:
    """Whether the statement is known to leave schemas, views and the places of tables as they are; not their rows."""
    words = _COMMENT.sub(" ", sql).split(None, 1)
    return not words or words[0].startswith("(") or words[0].lower().partition("(")[0] in _LEAVES_CATALOG
