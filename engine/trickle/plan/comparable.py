"""comparable: a value where values are compared: itself, or something that is equal just when the values are.

MAP and VARIANT have no equality in Spark. Two maps are equal when they hold the same entries, as GROUP BY has it, in
whatever order; two variants when they are the same JSON of the same types.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlglot import exp

from trickle.plan.schema import Column
from trickle.sql.build import all_of, call, case, column, identifier, integer, same, string
from trickle.types import Array, Field, Map, Simple, Struct, Type, has_equality


def comparable(tree: exp.Expr, kind: Type) -> exp.Expr:
    """A value in a form that has an equality and an order. The same tree where its type has both."""
    return _comparable(tree, kind, 0)


def same_value(left: exp.Expr, right: exp.Expr, kind: Type) -> exp.Expr:
    """Null-safe equality of two values of a type.

    In a column without a type there is only NULL, which Delta's MERGE does not find equal to itself.
    """
    return exp.true() if kind is Simple.VOID else same(comparable(left, kind), comparable(right, kind))


def all_same(columns: Iterable[Column], left: str, right: str) -> exp.Expr:
    """Two rows agree on the columns, NULLs included."""
    pairs = ((own, column(own.name, left), column(own.name, right)) for own in columns)
    matches = all_of(same_value(left_value, right_value, own.parsed_type) for own, left_value, right_value in pairs)
    return matches if matches is not None else exp.true()


def grouped_rows(
    columns: Iterable[Column], values: Mapping[str, exp.Expr]
) -> tuple[dict[str, exp.Expr], list[exp.Expr]]:
    """Whole rows as a grouping shows them, and the keys it groups by: positions in the SELECT list where possible."""
    shown: dict[str, exp.Expr] = {}
    keys: list[exp.Expr] = []
    for position, own in enumerate(columns, 1):
        value = values[own.name]
        if has_equality(own.parsed_type):
            shown[own.name] = value
            keys.append(integer(position))
        else:
            shown[own.name] = call("ANY_VALUE", value)
            keys.append(comparable(value.copy(), own.parsed_type))
    return shown, keys


def _comparable(tree: exp.Expr, kind: Type, depth: int) -> exp.Expr:
    if has_equality(kind):
        return tree
    match kind:
        case Map(key, value):
            # Keys are never maps, and no two of a map are equal: they alone decide the order.
            entry = Struct((Field("key", key), Field("value", value)))
            return call("SORT_ARRAY", _each(call("MAP_ENTRIES", tree), entry, depth))
        case Array(element):
            return _each(tree, element, depth)
        case Struct(fields):
            parts = [(field.name, _comparable(_field(tree, field.name), field.type, depth)) for field in fields]
            made = call("NAMED_STRUCT", *(part for name, value in parts for part in (string(name), value)))
            return case(exp.Is(this=tree.copy(), expression=exp.Null()), exp.Null(), made)
        case _:
            types = call("SCHEMA_OF_VARIANT", tree.copy())
            return call("NAMED_STRUCT", string("json"), call("TO_JSON", tree), string("types"), types)


def _each(array: exp.Expr, element: Type, depth: int) -> exp.Expr:
    """TRANSFORM(array, each -> comparable(each))"""
    if has_equality(element):
        return array
    name = f"each_{depth + 1}"
    body = _comparable(identifier(name), element, depth + 1)
    return call("TRANSFORM", array, exp.Lambda(this=body, expressions=[identifier(name)]))


def _field(tree: exp.Expr, name: str) -> exp.Expr:
    return exp.Dot(this=tree.copy(), expression=identifier(name))
