"""What stands for a value where values are compared: itself, or something that is equal just when the values are.

MAP and VARIANT have no equality in Spark. Two maps are one when they hold the same entries, as GROUP BY has it, in
whatever order; two variants when they are the same JSON of the same types.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlglot import exp

from trickle.plan.kinds import fields_of, has_no_equality
from trickle.plan.schema import Column
from trickle.sql.build import all_of, call, case, column, identifier, integer, same, string


def comparable(tree: exp.Expr, kind: str) -> exp.Expr:
    """A value in a form that has an equality and an order. The same tree where its type has both."""
    return _comparable(tree, kind, 0) if has_no_equality(kind) else tree


def same_value(left: exp.Expr, right: exp.Expr, kind: str) -> exp.Expr:
    """Null-safe equality of two values of a type.

    In a column without a type there is only NULL, which Delta's MERGE does not find equal to itself.
    """
    return exp.true() if kind == "void" else same(comparable(left, kind), comparable(right, kind))


def all_same(columns: Iterable[Column], left: str, right: str) -> exp.Expr:
    """Two rows agree on the columns, NULLs included."""
    matches = all_of(same_value(column(one.name, left), column(one.name, right), one.type) for one in columns)
    return matches if matches is not None else exp.true()


def grouped_rows(
    columns: Iterable[Column], values: Mapping[str, exp.Expr]
) -> tuple[dict[str, exp.Expr], list[exp.Expr]]:
    """Whole rows as a grouping shows them, and what it groups by: places in the SELECT list where those will do."""
    shown: dict[str, exp.Expr] = {}
    keys: list[exp.Expr] = []
    for place, one in enumerate(columns, 1):
        value = values[one.name]
        if has_no_equality(one.type):
            shown[one.name] = call("ANY_VALUE", value)
            keys.append(comparable(value.copy(), one.type))
        else:
            shown[one.name] = value
            keys.append(integer(place))
    return shown, keys


def _comparable(tree: exp.Expr, kind: str, depth: int) -> exp.Expr:
    if not has_no_equality(kind):
        return tree
    if kind.startswith("map<"):
        # Keys are never maps, and no two of a map are equal: they alone decide the order.
        entries = call("MAP_ENTRIES", tree)
        (_, key), (_, value) = fields_of(kind)
        return call("SORT_ARRAY", _each(entries, f"struct<key:{key},value:{value}>", depth))
    if kind.startswith("array<"):
        ((_, element),) = fields_of(kind)
        return _each(tree, element, depth)
    if kind.startswith("struct<"):
        fields = [(name.strip("`"), inner) for name, inner in fields_of(kind)]
        parts = [(name, _comparable(_field(tree, name), inner, depth)) for name, inner in fields]
        made = call("NAMED_STRUCT", *(one for name, part in parts for one in (string(name), part)))
        return case(exp.Is(this=tree.copy(), expression=exp.Null()), exp.Null(), made)
    text = call("TO_JSON", tree)
    return call("NAMED_STRUCT", string("json"), text, string("types"), call("SCHEMA_OF_VARIANT", tree.copy()))


def _each(array: exp.Expr, element: str, depth: int) -> exp.Expr:
    """TRANSFORM(array, each -> comparable(each))"""
    if not has_no_equality(element):
        return array
    name = f"each_{depth + 1}"
    body = _comparable(identifier(name), element, depth + 1)
    return call("TRANSFORM", array, exp.Lambda(this=body, expressions=[identifier(name)]))


def _field(tree: exp.Expr, name: str) -> exp.Expr:
    return exp.Dot(this=tree.copy(), expression=identifier(name))
