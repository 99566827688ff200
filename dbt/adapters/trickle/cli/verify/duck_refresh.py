"""A refresh's statement as DuckDB can run it: INSERT OVERWRITE and guarded MERGE take more than one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Optional

from sqlglot import exp

from dbt.adapters.trickle.cli.verify.duck_dialect import DUCKDB, duck_tree
from trickle.layouts.groups import ROWS
from trickle.sql.build import column, identifier
from trickle.sql.statement import parse_statement
from trickle.sql.text import translate


@dataclass(frozen=True)
class Translation:
    """What to run, and a query that must then give no row."""

    statements: tuple[str, ...]
    must_be_empty: Optional[str] = None


@lru_cache(maxsize=256)
def translation(spark_sql: str) -> Translation:
    """Cached: a statement that is tried is often the one that is then run."""
    return translation_of(parse_statement(spark_sql))


def translation_of(tree: exp.Expr) -> Translation:
    """The tree is taken over and changed."""
    match duck_tree(tree):
        case exp.Insert() as insert if insert.args.get("overwrite"):
            return Translation(tuple(map(_text, _overwriting(insert))))
        case exp.Merge() as merge if _drop_raise_error(merge):
            guard = _text(_without_rows(merge.this))
            return Translation((_text(merge),), guard)
        case other:
            return Translation((_text(other),))


def _overwriting(insert: exp.Insert) -> list[exp.Expr]:
    """A delete, and an insert of rows computed before it."""
    query, target = insert.expression, insert.this
    if insert.args.get("with_"):
        query.set("with_", insert.args["with_"])
    anew = exp.Table(this=identifier("#anew"), db=target.args.get("db"))
    everything = exp.Select(expressions=[exp.Star()]).from_(anew.copy(), copy=False)
    return [
        exp.Create(this=anew, kind="TABLE", replace=True, expression=query),
        exp.Delete(this=target.copy()),
        exp.Insert(this=target.copy(), expression=everything),
    ]


def _drop_raise_error(merge: exp.Merge) -> bool:
    """DuckDB computes what it would insert also for rows it then updates, so an error there would stop a right MERGE.

    NULL takes its place; what must not be negative is then NULL, and is looked for afterwards.
    """
    calls = [one for one in merge.args["whens"].find_all(exp.Anonymous) if one.name.upper() == "RAISE_ERROR"]
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
