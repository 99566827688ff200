"""The tables a statement reads by change feed, and the reads that Spark would confuse.

Within one statement Spark caches a relation by its table's name: next to t, table_changes('t', 1) silently returns
the rows of t, and next to table_changes('t', 1, 2) every other range of t returns that range. A read at a version is
cached by its version as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Optional

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from trickle.sql.dialect import Spliced, Verbatim
from trickle.sql.parse import parse_select
from trickle.sql.references import Name, is_cte, lowered, name_of
from trickle.sql.text import to_line

TABLE_CHANGES = "TABLE_CHANGES"
CATALOG = "spark_catalog"


@dataclass(frozen=True)
class FeedRead:
    """A table's change feed over a range of versions, as text of the call."""

    table: Name
    range: str


def feeds_of(tree: exp.Expr) -> Iterator[tuple[FeedRead, exp.Anonymous]]:
    """Every feed a tree reads, with its call. Feeds by path (table_changes_by_path) are left out: Spark reads each."""
    for call in tree.find_all(exp.Anonymous):
        if str(call.this).upper() == TABLE_CHANGES and call.expressions:
            table, *bounds = call.expressions
            yield FeedRead(_table_name_of(table), ", ".join(map(to_line, bounds))), call


def confused_table(feeds: Iterable[FeedRead], plain: Iterable[Name]) -> Optional[Name]:
    """The first table of which one statement reads two ranges of its feed, or its feed and its current rows."""
    ranges: dict[Name, str] = {}
    whole = {_without_default_catalog(name) for name in plain}
    for feed in feeds:
        name = _without_default_catalog(feed.table)
        if name in whole or ranges.setdefault(name, feed.range) != feed.range:
            return name
    return None


def misread_table(statement: exp.Expr) -> Optional[Name]:
    """The table that Spark would misread in a generated statement, spliced texts included."""
    spliced = [str(splice_node.this) for splice_node in statement.find_all(Spliced)]
    feeds = [feed for feed, _ in feeds_of(statement)]
    if not feeds and not any(TABLE_CHANGES in text.upper() for text in spliced):
        return None
    trees = [statement, *map(parse_select, spliced)]
    plain = [name_of(table) for tree in trees for table in tree.find_all(exp.Table) if _is_plain(table)]
    return confused_table([feed for tree in trees for feed, _ in feeds_of(tree)], plain)


def _is_plain(table: exp.Table) -> bool:
    versioned = table.args.get("version") or table.args.get("when")
    return isinstance(table.this, exp.Identifier) and not versioned and not is_cte(table)


def _table_name_of(table: exp.Expr) -> Name:
    """The table named by the argument of a call; an argument that is not a literal is returned as its text."""
    if isinstance(table, exp.Literal):
        try:
            parsed = sqlglot.parse_one(str(table.this), dialect=Verbatim)
        except SqlglotError:
            return (str(table.this).lower(),)
        if isinstance(parsed, exp.Column):
            return lowered(tuple(part.name for part in parsed.parts))
    return (to_line(table).lower(),)


def _without_default_catalog(name: Name) -> Name:
    return name[1:] if len(name) == 3 and name[0] == CATALOG else name
