"""The relations by which Spark reads a source at a version."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from trickle.catalog.changed_rows import Changes
from trickle.catalog.source_columns import called
from trickle.catalog.tables import Name, StreamTable, Table
from trickle.plan.hidden_columns import COUNT
from trickle.plan.names import stored_name
from trickle.sql.build import call, cast, column, integer, table


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
    items = [called(column(name), own) for name, own in zip(columns, shown or columns)]
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
