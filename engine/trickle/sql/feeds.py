"""Which tables a statement reads by their change feeds, and which of its reads Spark takes for each other.

Within one statement Spark remembers a relation by its table's name: beside t, table_changes('t', 1) silently answers
the rows of t, and beside table_changes('t', 1, 2) every other range of t answers that one. A read at a version is
remembered by its version as well.
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
    """A table's change feed over a range, as the call says it."""

    table: Name
    range: str


def feeds_of(tree: exp.Expr) -> Iterator[tuple[FeedRead, exp.Anonymous]]:
    """Every feed a tree reads, with its call. By a path (table_changes_by_path) each is read as it is asked for."""
    for call in tree.find_all(exp.Anonymous):
        if str(call.this).upper() == TABLE_CHANGES and call.expressions:
            table, *bounds = call.expressions
            yield FeedRead(_name_in(table), ", ".join(map(to_line, bounds))), call


def taken_for_each_other(feeds: Iterable[FeedRead], plain: Iterable[Name]) -> Optional[Name]:
    """A table of which one statement reads two feeds, or a feed and the table as it is."""
    met: dict[Name, str] = {}
    whole = {_local(name) for name in plain}
    for feed in feeds:
        name = _local(feed.table)
        if name in whole or met.setdefault(name, feed.range) != feed.range:
            return name
    return None


def misread(statement: exp.Expr) -> Optional[Name]:
    """The table that Spark would misread in a statement of ours; texts that were spliced in are read as well."""
    spliced = [str(one.this) for one in statement.find_all(Spliced)]
    feeds = [feed for feed, _ in feeds_of(statement)]
    if not feeds and not any(TABLE_CHANGES in text.upper() for text in spliced):
        return None
    trees = [statement, *map(parse_select, spliced)]
    plain = [name_of(table) for tree in trees for table in tree.find_all(exp.Table) if _is_plain(table)]
    return taken_for_each_other([feed for tree in trees for feed, _ in feeds_of(tree)], plain)


def _is_plain(table: exp.Table) -> bool:
    versioned = table.args.get("version") or table.args.get("when")
    return isinstance(table.this, exp.Identifier) and not versioned and not is_cte(table)


def _name_in(table: exp.Expr) -> Name:
    """The table in the call's text; what is no literal stands for itself."""
    if isinstance(table, exp.Literal):
        try:
            found = sqlglot.parse_one(str(table.this), dialect=Verbatim)
        except SqlglotError:
            return (str(table.this).lower(),)
        if isinstance(found, exp.Column):
            return lowered(tuple(part.name for part in found.parts))
    return (to_line(table).lower(),)


def _local(name: Name) -> Name:
    return name[1:] if len(name) == 3 and name[0] == CATALOG else name
