"""The relations by which Spark reads a source: at a version, and as the change between two versions."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp
from typing_extensions import assert_never

from trickle.catalog.changed_rows import AddedFiles, Changes, FeedRange, NamedFiles
from trickle.catalog.tables import Name, StreamTable, Table
from trickle.plan.hidden_columns import COUNT
from trickle.plan.names import feed_column_name, stored_name
from trickle.plan.ranges import ColumnStatistics, in_ranges
from trickle.plan.schema import WEIGHT, Column
from trickle.sql.build import alias, all_of, call, case, cast, column, integer, product, string, table, union_all
from trickle.sql.text import to_line

ADDED = ("insert", "update_postimage")
UNKNOWN = ColumnStatistics()
BOUNDS = 4
"""Columns by whose ranges a read is bounded, at most."""


def at_version(relation: Table | StreamTable, version: int | None) -> exp.Expr:
    """The source at a version, as a relation without alias; None: as it is now."""
    if isinstance(relation, Table):
        return table(relation.name, None, version)
    shown = tuple(item.name for item in relation.columns)
    return exp.Subquery(this=repeated(relation.storage, tuple(map(stored_name, shown)), version, shown))


def repeated(
    storage: Name, columns: tuple[str, ...], version: int | None = None, shown: tuple[str, ...] = ()
) -> exp.Select:
    """The rows of a storage table, each repeated by its count, under the names of the facade."""
    items = [_called(column(name), own) for name, own in zip(columns, shown or columns)]
    select = exp.Select(expressions=items).from_(table(storage, None, version), copy=False)
    select.append("laterals", copies(column(COUNT)))
    return select


def copies(count: exp.Expr) -> exp.Lateral:
    """A LATERAL VIEW that repeats each row by its count."""
    times = call("ARRAY_REPEAT", integer(0), cast(count, "int"))
    return exp.Lateral(
        this=exp.Explode(this=times),
        view=True,
        alias=exp.TableAlias(
            this=exp.to_identifier("__trickle_copies", quoted=True),
            columns=[exp.to_identifier("__trickle_copy", quoted=True)],
        ),
    )


def with_previous_columns(relation: Table | StreamTable, changes: Changes) -> Table | StreamTable:
    """The relation with only the columns that it had before these changes."""
    stored = stored_name if isinstance(relation, StreamTable) else str
    previous = tuple(item for item in relation.columns if stored(item.name).lower() not in changes.new_columns)
    return relation if len(previous) == len(relation.columns) else replace(relation, columns=previous)


def changes_of(relation: Table | StreamTable, changes: Changes, statistics: ColumnStatistics = UNKNOWN) -> exp.Expr:
    """The rows added and removed, with their weight, as a relation without alias.

    `statistics` bound the changed rows, where that skips files.
    """
    match changes.rows:
        case FeedRange(first=first, last=last):
            return feed(relation, first, last)
        case AddedFiles() as files:
            return _by_path(relation, files)
        case NamedFiles() as files:
            return _by_name(relation, files, statistics)
        case _:
            assert_never(changes.rows)


def _by_path(relation: Table | StreamTable, files: AddedFiles) -> exp.Expr:
    """`parquet`.`/path` reads a single file: no other file of the table is opened, and every weight is 1."""
    items = [_typed(relation, own) for own in relation.columns]
    return exp.Subquery(
        this=union_all([_rows_of(relation, table((files.format, path)), items) for path in files.paths])
    )


def _by_name(relation: Table | StreamTable, files: NamedFiles, statistics: ColumnStatistics) -> exp.Expr:
    """The rows of some of the table's files: no feed is needed, and every weight is one."""
    name = exp.Dot(this=column("_metadata"), expression=exp.to_identifier("file_name", quoted=True))
    query = _rows_of(relation, table(_physical(relation), None, files.version), _columns_of(relation))
    added = exp.In(this=name, expressions=[string(file) for file in files.names])
    query.set("where", exp.Where(this=all_of([added, *_bounds(relation, statistics)])))
    return exp.Subquery(this=query)


def _bounds(relation: Table | StreamTable, statistics: ColumnStatistics) -> list[exp.Expr]:
    """Bounds on the added rows: Delta opens every file to read its name, unless literals skip it."""
    if isinstance(relation, StreamTable):
        return []
    ranges = statistics.changed
    known = [(own.name, ranges[own.name]) for own in relation.columns if own.name in ranges]
    return [exp.Paren(this=in_ranges(column(name), wanted)) for name, wanted in known[:BOUNDS]]


def _rows_of(relation: Table | StreamTable, read: exp.Table, columns: list[exp.Expr]) -> exp.Select:
    stream = isinstance(relation, StreamTable)
    weight = column(COUNT) if stream else integer(1)
    return exp.Select(expressions=[*columns, alias(weight, WEIGHT)]).from_(read, copy=False)


def _typed(relation: Table | StreamTable, own: Column) -> exp.Expr:
    """The column in the table's type: a file may have a narrower one, which would overflow earlier."""
    (item,) = _columns_of(replace(relation, columns=(own,)))
    return alias(cast(item.unalias().copy(), own.type), item.alias_or_name) if own.type else item


def _columns_of(relation: Table | StreamTable) -> list[exp.Expr]:
    """The relation's columns by their names in its files, which may differ for a stream table."""
    stored = stored_name if isinstance(relation, StreamTable) else str
    return [_called(column(stored(item.name)), feed_column_name(item.name)) for item in relation.columns]


def _called(own: exp.Column, name: str) -> exp.Expr:
    return own if own.name == name else alias(own, name)


def _physical(relation: Table | StreamTable) -> Name:
    return relation.storage if isinstance(relation, StreamTable) else relation.name


def feed(relation: Table | StreamTable, first: int, last: int) -> exp.Expr:
    """The rows added and removed in versions first … last, as a relation without alias exposing the weight."""
    physical = _physical(relation)
    changes = call("TABLE_CHANGES", string(to_line(table(physical))), integer(first), integer(last))
    added = exp.In(this=column("_change_type"), expressions=[string(kind) for kind in ADDED])
    sign: exp.Expr = case(added, integer(1), integer(-1))
    select = exp.Select(expressions=_columns_of(relation))
    if isinstance(relation, StreamTable):
        sign = product(sign, column(COUNT))
        select.set("where", exp.Where(this=exp.NEQ(this=column(COUNT), expression=integer(0))))
    select.append("expressions", alias(sign, WEIGHT))
    return exp.Subquery(this=select.from_(exp.Table(this=changes), copy=False))
