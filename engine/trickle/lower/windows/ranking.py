"""Partitions an order or a window by additional keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Optional

from sqlglot import exp

from trickle.lower.session import Session
from trickle.operators import Filter, Ordering, Project, TopK, Window
from trickle.plan.op import Op
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.sql.build import call, column, integer, string

FIRST = "first"
"""The field with the value of the first row."""


def first_by(order: Sequence[Ordering], value: exp.Expr) -> Optional[exp.Expr]:
    """The first value of an order, as the field of a MIN_BY or MAX_BY; None where the items have mixed directions.

    Structs compare field by field, NULL first: so NULLS LAST in an ascending order, and NULLS FIRST in a descending
    one, need a field of their own.
    """
    directions = {item.descending for item in order}
    if len(directions) != 1:
        return None
    (descending,) = directions
    fields: list[exp.Expr] = []
    for item in order:
        if item.nulls_first == descending:
            fields.append(exp.Is(this=column(item.column), expression=exp.Null()))
        fields.append(column(item.column))
    first = call("NAMED_STRUCT", string(FIRST), value)
    return call("MAX_BY" if descending else "MIN_BY", first, call("STRUCT", *fields))


def numbered(top: TopK, child: Op, keys: tuple[Named, ...], session: Session) -> Op:
    """ORDER BY … LIMIT for each key: ROW_NUMBER() OVER (PARTITION BY keys ORDER BY order) within LIMIT and OFFSET."""
    number = session.names.fresh("place")
    order = exp.Order(expressions=[item.tree() for item in top.total_order])
    over = exp.Window(
        this=call("ROW_NUMBER"), partition_by=[key.value.tree_copy() for key in keys], order=order, over="OVER"
    )
    counted = Window(child, _partition(keys, session), (Named(number, Scalar(over)),))
    within: exp.Expr = exp.LTE(this=column(number), expression=integer(top.limit + top.offset))
    if top.offset:
        within = exp.And(this=within, expression=exp.GT(this=column(number), expression=integer(top.offset)))
    own_columns = tuple(Named(name, column_scalar(name)) for name in child.schema.names)
    return Project(Filter(counted, Scalar(within)), own_columns)


def with_partition_keys(window: Window, child: Op, keys: tuple[Named, ...], session: Session) -> Op:
    """The same functions with the keys added to their partitions."""
    items = tuple(Named(item.name, _with_keys(item.value, keys)) for item in window.items)
    return replace(window, child=child, partition=(*window.partition, *_partition(keys, session)), items=items)


def _partition(keys: tuple[Named, ...], session: Session) -> tuple[Named, ...]:
    return tuple(Named(session.names.fresh("partition_key"), key.value) for key in keys)


def _with_keys(value: Scalar, keys: tuple[Named, ...]) -> Scalar:
    tree = value.tree_copy()
    for window in list(tree.find_all(exp.Window)):
        window.set("partition_by", [*(window.args.get("partition_by") or []), *(key.value.tree_copy() for key in keys)])
    return Scalar(tree)
