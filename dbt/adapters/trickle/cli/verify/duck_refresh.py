"""A refresh's statement for DuckDB: INSERT OVERWRITE and guarded MERGE become several statements."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Optional

from sqlglot import exp

from dbt.adapters.trickle.cli.verify.duck_dialect import DUCKDB, duck_tree
from trickle.plan.hidden_columns import ROWS
from trickle.sql.build import column, identifier
from trickle.sql.statement import parse_statement
from trickle.sql.text import translate


@dataclass(frozen=True)
class Translation:
    """The statements to run, and a query that must return no row after them."""

    statements: tuple[str, ...]
    must_be_empty: Optional[str] = None


@lru_cache(maxsize=256)
def translation(spark_sql: str) -> Translation:
    """`translation_of` the statement, cached: a statement is often tried first and then run."""
    return translation_of(parse_statement(spark_sql))


def translation_of(tree: exp.Expr) -> Translation:
    """The translation of a tree, which is modified."""
    match duck_tree(tree):
        case exp.Insert() as insert if insert.args.get("overwrite"):
            return Translation(tuple(map(_text, _overwriting(insert))))
        case exp.Merge() as merge if _drop_raise_error(merge):
            guard = _text(_without_rows(merge.this))
            return Translation((_text(merge),), guard)
        case other:
            return Translation((_text(other),))


def _overwriting(insert: exp.Insert) -> list[exp.Expr]:
    """INSERT OVERWRITE as a temporary table, a DELETE and an INSERT."""
    query, target = insert.expression, insert.this
    if insert.args.get("with_"):
        query.set("with_", insert.args["with_"])
    new_rows = exp.Table(this=identifier("#new_rows"), db=target.args.get("db"))
    everything = exp.Select(expressions=[exp.Star()]).from_(new_rows.copy(), copy=False)
    return [
        exp.Create(this=new_rows, kind="TABLE", replace=True, expression=query),
        exp.Delete(this=target.copy()),
        exp.Insert(this=target.copy(), expression=everything),
    ]


def _drop_raise_error(merge: exp.Merge) -> bool:
    """Replace RAISE_ERROR by NULL; whether there was any. The rows are checked for NULL after the statement.

    DuckDB evaluates the INSERT branch also for rows that it then updates: RAISE_ERROR there fails a correct MERGE.
    """
    calls = [call for call in merge.args["whens"].find_all(exp.Anonymous) if call.name.upper() == "RAISE_ERROR"]
    for call in calls:
        call.replace(exp.Null())
    return bool(calls)


def _without_rows(target: exp.Table) -> exp.Select:
    bare = target.copy()
    bare.set("alias", None)
    query = exp.Select(expressions=[exp.Star()]).from_(bare, copy=False)
    return query.where(exp.Is(this=column(ROWS), expression=exp.Null()), copy=False)


def _text(tree: exp.Expr) -> str:
    return translate(tree, DUCKDB)
