"""How each source is read in Spark: at a version, and as the change between two."""

from __future__ import annotations

from sqlglot import exp

from trickle.catalog.probe import Probe
from trickle.catalog.tables import Name, StreamTable, Table
from trickle.plan.names import stored_name
from trickle.plan.schema import WEIGHT
from trickle.sql.build import alias, call, case, cast, column, integer, product, string, table, union_all
from trickle.sql.text import to_line

COUNT = "__trickle_count"
ADDED = ("insert", "update_postimage")


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


def changes_of(relation: Table | StreamTable, probe: Probe) -> exp.Expr:
    """The rows gained and lost since the frontier, by whichever source of changes the table offers."""
    assert probe.before is not None
    if probe.added_paths or probe.added_names:
        return appended(relation, probe)
    return feed(relation, probe.before.version + 1, probe.now.version)


def appended(relation: Table | StreamTable, probe: Probe) -> exp.Expr:
    """The rows of the files an append added: no feed is needed, and every weight is one."""
    if probe.added_paths:
        # `parquet`.`/path` names a file by itself: nothing else of the table is opened.
        queries = [_rows_of(relation, table(("parquet", path))) for path in probe.added_paths]
        return exp.Subquery(this=union_all(queries))
    name = exp.Dot(this=column("_metadata"), expression=exp.to_identifier("file_name", quoted=True))
    query = _rows_of(relation, table(_physical(relation), None, probe.now.version))
    added = exp.In(this=name, expressions=[string(one) for one in probe.added_names])
    query.set("where", exp.Where(this=added))
    return exp.Subquery(this=query)


def _rows_of(relation: Table | StreamTable, read: exp.Table) -> exp.Select:
    stream = isinstance(relation, StreamTable)
    weight = column(COUNT) if stream else integer(1)
    items = [*_columns_of(relation), alias(weight, WEIGHT)]
    return exp.Select(expressions=items).from_(read, copy=False)


def _columns_of(relation: Table | StreamTable) -> list[exp.Expr]:
    """The relation's columns, in its files: those of a stream table may be called otherwise there."""
    if isinstance(relation, Table):
        return [column(one.name) for one in relation.columns]
    return [_called(column(stored_name(one.name)), one.name) for one in relation.columns]


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
