"""The columns of a source as its rows and files have them, under the names that a query gives them."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from trickle.catalog.tables import Name, StreamTable, Table
from trickle.plan.hidden_columns import COUNT
from trickle.plan.names import feed_column_name, stored_name
from trickle.plan.schema import WEIGHT, Column
from trickle.sql.build import alias, cast, column, integer, product


def shown_columns(relation: Table | StreamTable) -> list[exp.Expr]:
    """The relation's columns by their names in its files, which may differ for a stream table, as users call them."""
    return [called(column(_name_in_files(relation, item)), item.name) for item in relation.columns]


def columns_of(relation: Table | StreamTable) -> list[exp.Expr]:
    """The relation's columns by their names in its files, as a feed calls them."""
    return [called(column(_name_in_files(relation, item)), feed_column_name(item.name)) for item in relation.columns]


def typed_column(relation: Table | StreamTable, own: Column) -> exp.Expr:
    """The column in the table's type: a file may have a narrower one, which would overflow earlier."""
    (item,) = columns_of(replace(relation, columns=(own,)))
    return alias(cast(item.unalias().copy(), own.type), item.alias_or_name) if own.type else item


def rows_of(
    relation: Table | StreamTable, read: exp.Table, columns: list[exp.Expr], sign: exp.Expr | None = None
) -> exp.Select:
    """The rows of what is read, with their weight: of a stream table those that are shown, as often as they are.

    `sign` says of each whether it came or went; None: all came.
    """
    stream = isinstance(relation, StreamTable)
    weight = integer(1) if sign is None else sign
    if stream:
        weight = column(COUNT) if sign is None else product(sign, column(COUNT))
    select = exp.Select(expressions=[*columns, alias(weight, WEIGHT)]).from_(read, copy=False)
    if stream:
        # A hidden row would be one of weight 0, which an extreme or a row that is appended does not notice.
        select.set("where", exp.Where(this=exp.NEQ(this=column(COUNT), expression=integer(0))))
    return select


def physical_name(relation: Table | StreamTable) -> Name:
    return relation.storage if isinstance(relation, StreamTable) else relation.name


def called(own: exp.Column, name: str) -> exp.Expr:
    return own if own.name == name else alias(own, name)


def _name_in_files(relation: Table | StreamTable, own: Column) -> str:
    return stored_name(own.name) if isinstance(relation, StreamTable) else own.name
