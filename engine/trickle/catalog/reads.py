"""How each source is read in Spark: at a version, and as the change between two."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp
from typing_extensions import assert_never

from trickle.catalog.changed_rows import AddedFiles, Changes, FeedRange, NamedFiles
from trickle.catalog.tables import Name, StreamTable, Table
from trickle.plan.hidden_columns import COUNT
from trickle.plan.names import beside_weight, stored_name
from trickle.plan.ranges import ColumnStatistics, lies_in
from trickle.plan.schema import WEIGHT, Column
from trickle.sql.build import alias, all_of, call, case, cast, column, integer, product, string, table, union_all
from trickle.sql.text import to_line

ADDED = ("insert", "update_postimage")
UNKNOWN = ColumnStatistics()
BOUNDS = 4
"""Columns whose literals are worth compiling."""


def at_version(relation: Table | StreamTable, version: int | None) -> exp.Expr:
    """The source at a version, as a relation without alias; None: as it is now."""
    if isinstance(relation, Table):
        return table(relation.name, None, version)
    shown = tuple(one.name for one in relation.columns)
    return exp.Subquery(this=repeated(relation.storage, tuple(map(stored_name, shown)), version, shown))


def repeated(
    storage: Name, columns: tuple[str, ...], version: int | None = None, shown: tuple[str, ...] = ()
) -> exp.Select:
    """The rows of a storage table, each as often as its count says: what the facade shows, under the names it shows."""
    items = [_called(column(name), own) for name, own in zip(columns, shown or columns)]
    select = exp.Select(expressions=items).from_(table(storage, None, version), copy=False)
    select.append("laterals", copies(column(COUNT)))
    return select


def copies(count: exp.Expr) -> exp.Lateral:
    """Beside FROM: each row as often as its count says."""
    times = call("ARRAY_REPEAT", integer(0), cast(count, "int"))
    return exp.Lateral(
        this=exp.Explode(this=times),
        view=True,
        alias=exp.TableAlias(
            this=exp.to_identifier("__trickle_copies", quoted=True),
            columns=[exp.to_identifier("__trickle_copy", quoted=True)],
        ),
    )


def as_before(relation: Table | StreamTable, changes: Changes) -> Table | StreamTable:
    """The relation with the columns it had before these changes too."""
    stored = stored_name if isinstance(relation, StreamTable) else str
    kept = tuple(one for one in relation.columns if stored(one.name).lower() not in changes.new_columns)
    return relation if len(kept) == len(relation.columns) else replace(relation, columns=kept)


def changes_of(relation: Table | StreamTable, changes: Changes, statistics: ColumnStatistics = UNKNOWN) -> exp.Expr:
    """The rows gained and lost, with their weight, as a relation without alias.

    `statistics` bound the changed rows, where that leaves out files.
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
    """`parquet`.`/path` names a file by itself: nothing else of the table is opened, and every weight is one."""
    items = [_typed(relation, own) for own in relation.columns]
    return exp.Subquery(
        this=union_all([_rows_of(relation, table((files.format, path)), items) for path in files.paths])
    )


def _by_name(relation: Table | StreamTable, files: NamedFiles, statistics: ColumnStatistics) -> exp.Expr:
    """The rows of some of the table's files: no feed is needed, and every weight is one."""
    name = exp.Dot(this=column("_metadata"), expression=exp.to_identifier("file_name", quoted=True))
    query = _rows_of(relation, table(_physical(relation), None, files.version), _columns_of(relation))
    added = exp.In(this=name, expressions=[string(one) for one in files.names])
    query.set("where", exp.Where(this=all_of([added, *_bounds(relation, statistics)])))
    return exp.Subquery(this=query)


def _bounds(relation: Table | StreamTable, statistics: ColumnStatistics) -> list[exp.Expr]:
    """The ranges of the added rows: Delta opens every file to read its name, unless literals leave it out."""
    if isinstance(relation, StreamTable):
        return []
    ranges = statistics.changed
    known = [(own.name, ranges[own.name]) for own in relation.columns if own.name in ranges]
    return [exp.Paren(this=lies_in(column(name), wanted)) for name, wanted in known[:BOUNDS]]


def _rows_of(relation: Table | StreamTable, read: exp.Table, columns: list[exp.Expr]) -> exp.Select:
    stream = isinstance(relation, StreamTable)
    weight = column(COUNT) if stream else integer(1)
    return exp.Select(expressions=[*columns, alias(weight, WEIGHT)]).from_(read, copy=False)


def _typed(relation: Table | StreamTable, own: Column) -> exp.Expr:
    """The column in the table's type: a file may hold a narrower one, which would overflow earlier."""
    (item,) = _columns_of(replace(relation, columns=(own,)))
    return alias(cast(item.unalias().copy(), own.type), item.alias_or_name) if own.type else item


def _columns_of(relation: Table | StreamTable) -> list[exp.Expr]:
    """The relation's columns, in its files: those of a stream table may be called otherwise there."""
    stored = stored_name if isinstance(relation, StreamTable) else str
    return [_called(column(stored(one.name)), beside_weight(one.name)) for one in relation.columns]


def _called(own: exp.Column, name: str) -> exp.Expr:
    return own if own.name == name else alias(own, name)


def _physical(relation: Table | StreamTable) -> Name:
    return relation.storage if isinstance(relation, StreamTable) else relation.name


def feed(relation: Table | StreamTable, first: int, last: int) -> exp.Expr:
    """The rows gained and lost in versions first … last, as a relation without alias exposing the weight."""
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
