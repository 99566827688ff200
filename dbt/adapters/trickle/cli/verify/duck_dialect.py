"""Spark's statements for DuckDB: versions and change feeds become tables, the rest is translated."""

from __future__ import annotations

from functools import lru_cache

from sqlglot import exp
from sqlglot.errors import UnsupportedError

from dbt.adapters.trickle.cli.verify.duck_windows import make_time_windows
from trickle.sql.build import column, integer, table
from trickle.sql.statement import parse_statement
from trickle.sql.text import SPARK, function_name, translate

DUCKDB = "duckdb"
FEED_VERSION = "_commit_version"
FEED_KIND = "_change_type"
MACROS = (
    "CREATE OR REPLACE MACRO main.raise_error(message) AS error(message)",
    "CREATE OR REPLACE MACRO main.array_repeat(item, times) AS list_transform(range(times), lambda each: item)",
    "CREATE OR REPLACE MACRO main.timestamp_micros(number) AS make_timestamp(number)",
    "CREATE OR REPLACE MACRO main.pmod(number, modulus) AS (number % modulus + modulus) % modulus",
    "CREATE OR REPLACE MACRO main.micros(duration) AS epoch_us(CAST(duration AS INTERVAL))",
    "CREATE OR REPLACE MACRO main.newest_start(time, slide, first) AS "
    "epoch_us(time) - ((epoch_us(time) - first) % slide + slide) % slide",
    "CREATE OR REPLACE MACRO main.time_windows(time, width, slide, first) AS list_filter(list_transform("
    "range(CAST(ceil(micros(width) / micros(slide)) AS BIGINT)), lambda back: {"
    "'start': make_timestamp(newest_start(time, micros(slide), micros(first)) - back * micros(slide)), "
    "'end': make_timestamp(newest_start(time, micros(slide), micros(first)) - back * micros(slide) + micros(width))}), "
    "lambda made: made['end'] > time)",
)
"""Functions of Spark's that DuckDB lacks."""

_LOCAL_TIMES = (exp.DType.TIMESTAMPTZ, exp.DType.TIMESTAMPLTZ, exp.DType.TIMESTAMPNTZ)


def version_table(name: str, version: int) -> str:
    """The table with a table's rows at a version."""
    return f"{name}@{version}"


def feed_table(name: str) -> str:
    """The table with a table's change feed."""
    return f"{name}#feed"


@lru_cache(maxsize=256)
def translated(spark_sql: str) -> str:
    """A query or statement of Spark SQL in DuckDB's SQL."""
    return translate(duck_tree(parse_statement(spark_sql)), DUCKDB)


def duck_tree(tree: exp.Expr) -> exp.Expr:
    """The tree with every read of a version or a feed replaced by a read of the table that contains it."""
    # Innermost first: the replacement of an outer node may contain replaced parts.
    for node in reversed(list(tree.walk())):
        match node:
            case exp.Table():
                _replace_table(node)
            case exp.DataType() if node.this in _LOCAL_TIMES:
                # All timestamps are in UTC: DuckDB's zoned timestamps would add the machine's own zone.
                node.set("this", exp.DType.TIMESTAMP)
            case exp.Group():
                _as_spark_groups(node)
            case exp.Mode() if node.args.get("deterministic"):
                # The least of the most frequent values; DuckDB returns the first.
                node.set("deterministic", None)
                node.set("this", exp.Order(this=node.this, expressions=[exp.Ordered(this=node.this.copy())]))
            case exp.ArgMin() | exp.ArgMax():
                # DuckDB's functions skip rows whose value is NULL, Spark's those whose order is NULL.
                name = "arg_min_null" if isinstance(node, exp.ArgMin) else "arg_max_null"
                node.replace(exp.Anonymous(this=name, expressions=[node.this, _nulls_first(node.expression)]))
            case exp.CountIf() if not isinstance(node.this, exp.Distinct):
                # If all values are NULL, DuckDB's COUNT_IF returns NULL and not 0.
                node.replace(exp.Count(this=exp.If(this=node.this, true=integer(1))))
            case exp.Pivot() if any(aggregate.find(exp.Count, exp.CountIf) for aggregate in node.expressions):
                raise UnsupportedError("its PIVOT counts 0 for missing rows, Spark's is NULL next to other aggregates")
            case exp.In() if node.args.get("query") is not None and _is_shown(node):
                raise UnsupportedError("the value of IN (SELECT …) may be NULL in DuckDB where it is FALSE in Spark")
            case exp.Select():
                make_time_windows(node)
            case exp.Hint():
                node.pop()
            case exp.TryCast() if not node.args.get("safe"):
                # CAST: sqlglot parses it as TRY_CAST, but in ANSI mode it raises an error.
                node.replace(exp.Cast(this=node.this, to=node.args["to"]))
    return tree


def _is_shown(node: exp.Expr) -> bool:
    """Whether the node's value is in a SELECT list, or decides one in which NULL and FALSE differ."""
    plain = True
    while node.parent is not None and not isinstance(node.parent, exp.Query):
        if isinstance(node.parent, exp.If) and node.arg_key == "this" and plain:
            return False
        node = node.parent
        plain = plain and isinstance(node, (exp.And, exp.Or, exp.Paren))
    return isinstance(node.parent, exp.Select) and node.arg_key == "expressions"


def _nulls_first(order: exp.Expr) -> exp.Expr:
    """The order with NULLs first in the fields of structs, as Spark compares them; DuckDB puts them last."""
    for struct in order.find_all(exp.Struct):
        fields = [field.expression if isinstance(field, exp.PropertyEQ) else field for field in struct.expressions]
        pairs = [(exp.Not(this=exp.Is(this=field.copy(), expression=exp.Null())), field) for field in fields]
        struct.set("expressions", [part for pair in pairs for part in pair])
    return order


def _replace_table(node: exp.Table) -> None:
    if isinstance(node.this, exp.Anonymous) and node.this.name.upper() == "TABLE_CHANGES":
        node.replace(_feed(node))
    elif node.args.get("version"):
        _at_version(node)
    elif function_name(node.this) in ("range", "generateseries") and not node.alias_column_names:
        table_name = exp.to_identifier(node.alias or "range")
        node.set("alias", exp.TableAlias(this=table_name, columns=[exp.to_identifier("id")]))


def _as_spark_groups(group: exp.Group) -> None:
    """The groups as Spark computes them: over no rows a grand total among grouping sets gives no row, in DuckDB one."""
    for name, kind in (("rollup", exp.Rollup), ("cube", exp.Cube)):
        if group.args.get(name):
            group.set("expressions", [kind(expressions=group.expressions)])
            group.set(name, None)
    if sets := group.args.get("grouping_sets"):
        # GROUP BY a, b GROUPING SETS (…): only the sets count; DuckDB would also group by a and b.
        group.set("expressions", sets)
        group.set("grouping_sets", None)
    several = [
        element for element in group.expressions if isinstance(element, (exp.Rollup, exp.Cube, exp.GroupingSets))
    ]
    select = group.parent
    if not several or not isinstance(select, exp.Select) or _is_single_set(several[0]):
        return
    having = select.args.get("having")
    rows = exp.GT(this=exp.Count(this=exp.Star()), expression=integer(0))
    both = rows if having is None else exp.And(this=exp.Paren(this=having.this), expression=rows)
    select.set("having", exp.Having(this=both))


def _is_single_set(sets: exp.Expr) -> bool:
    return isinstance(sets, exp.GroupingSets) and len(sets.expressions) == 1


def _at_version(node: exp.Table) -> None:
    version = int(node.args["version"].expression.name)
    if not node.alias:
        node.set("alias", exp.TableAlias(this=exp.to_identifier(node.name, quoted=True)))
    node.set("this", exp.to_identifier(version_table(node.name, version), quoted=True))
    node.set("version", None)


def _feed(node: exp.Table) -> exp.Expr:
    named, first, last = node.this.expressions
    physical = exp.to_table(named.name, dialect=SPARK)
    feed = table((*(part.name for part in physical.parts[:-1]), feed_table(physical.name)))
    versions = exp.Between(this=column(FEED_VERSION), low=integer(int(first.name)), high=integer(int(last.name)))
    query = exp.Select(expressions=[exp.Star()]).from_(feed, copy=False).where(versions, copy=False)
    alias = node.args.get("alias") or exp.TableAlias(this=exp.to_identifier("changes", quoted=True))
    return exp.Subquery(this=query, alias=alias.copy())
