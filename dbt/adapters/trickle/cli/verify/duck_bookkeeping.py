"""The statements that record versions and feeds in DuckDB. Cached: the same few tables change thousands of times."""

from __future__ import annotations

from functools import lru_cache

from sqlglot import exp

from dbt.adapters.trickle.cli.verify.duck_dialect import DUCKDB, FEED_KIND, FEED_VERSION, feed_table, version_table
from trickle.sql.build import alias, column, identifier, integer, string, subquery
from trickle.sql.text import translate


@lru_cache(maxsize=4096)
def keep_version(schema: str, name: str, version: int) -> str:
    """Copy the table as it is now."""
    return text(_created(schema, version_table(name, version), rows(schema, name)))


@lru_cache(maxsize=256)
def new_feed(schema: str, name: str) -> str:
    """An empty feed with the table's columns."""
    items = [exp.Star(), alias(string(""), FEED_KIND), alias(integer(0), FEED_VERSION)]
    empty = exp.Select(expressions=items).from_(table(schema, name), copy=False)
    empty.set("where", exp.Where(this=exp.false()))
    return text(_created(schema, feed_table(name), empty))


@lru_cache(maxsize=4096)
def feed_difference(schema: str, name: str, version: int) -> tuple[str, str]:
    """Record the rows a commit removed and added, from the rows before and after it."""
    old, new = rows(schema, version_table(name, version - 1)), rows(schema, name)
    deleted, inserted = except_all(old, new), except_all(new, old)
    return feed_entry(schema, name, version, "delete", deleted), feed_entry(schema, name, version, "insert", inserted)


def feed_update(schema: str, name: str, version: int, condition: exp.Expr) -> tuple[str, str]:
    """Record every row that an UPDATE touched, changed or not, as Delta does."""
    old, new = rows(schema, version_table(name, version - 1)), rows(schema, name)
    touched, untouched = old.copy(), old.copy()
    touched.set("where", exp.Where(this=condition.copy()))
    untouched.set(
        "where", exp.Where(this=exp.Not(this=exp.Is(this=exp.Paren(this=condition.copy()), expression=exp.true())))
    )
    updated = except_all(new, untouched)
    return (
        feed_entry(schema, name, version, "update_preimage", touched),
        feed_entry(schema, name, version, "update_postimage", updated),
    )


@lru_cache(maxsize=4096)
def changes_between(schema: str, name: str, first: int, last: int) -> str:
    """The feed's rows of a range of versions."""
    query = rows(schema, feed_table(name))
    between = exp.Between(this=column(FEED_VERSION), low=integer(first), high=integer(last))
    query.set("where", exp.Where(this=between))
    return text(query)


def feed_entry(schema: str, name: str, version: int, change: str, query: exp.Query) -> str:
    items = [exp.Star(), alias(string(change), FEED_KIND), alias(integer(version), FEED_VERSION)]
    entry = exp.Select(expressions=items).from_(subquery(query, "changed"), copy=False)
    return text(exp.Insert(this=table(schema, feed_table(name)), expression=entry))


def except_all(left: exp.Query, right: exp.Query) -> exp.Query:
    return exp.Except(this=left.copy(), expression=right.copy(), distinct=False)


def rows(schema: str, name: str) -> exp.Select:
    return exp.Select(expressions=[exp.Star()]).from_(table(schema, name), copy=False)


def table(schema: str, name: str) -> exp.Table:
    return exp.Table(this=identifier(name), db=identifier(schema))


def text(tree: exp.Expr) -> str:
    return translate(tree, DUCKDB)


def _created(schema: str, name: str, query: exp.Query) -> exp.Create:
    return exp.Create(this=table(schema, name), kind="TABLE", replace=True, expression=query)
