"""A type is what it is made of, not what its fields are called."""

from __future__ import annotations

import pytest

from tests.facts import compiled
from trickle import CompiledView, Schema, Table
from trickle.plan.schema import Column
from trickle.types import (
    Array,
    Decimal,
    Field,
    Interval,
    Map,
    Opaque,
    Simple,
    Struct,
    can_be_stored,
    fields_by_name,
    has_equality,
    has_order,
    parse_type,
)

INT = Simple.INT


def view_over(kind: str, query: str) -> CompiledView:
    """A query over one table whose column c is of this type."""
    return compiled(query, lambda name: Table(name, Schema((Column("id", "int"), Column("c", kind)))))


@pytest.mark.parametrize("kind", ["struct<variant_id:int>", "struct<variant:int>", "struct<`map<x`:int>"])
@pytest.mark.parametrize(
    "query",
    [
        "SELECT c, COUNT(*) AS n FROM s.t GROUP BY c",
        "SELECT DISTINCT c FROM s.t",
        "SELECT id, c FROM s.t UNION SELECT id, c FROM s.t",
    ],
)
def test_a_field_called_like_a_type_does_not_stop_a_query(kind: str, query: str) -> None:
    """Only values of VARIANT and MAP cannot be compared."""
    assert view_over(kind, query).incremental


@pytest.mark.parametrize(
    "name", ["variant_id", "map_id", "interval", "time(6)", "decimal(1,1)", "a:b", "a,b", "a`b", "a b", ">"]
)
def test_a_name_decides_nothing(name: str) -> None:
    """In back quotes a field may be called anything."""
    kind = parse_type(f"struct<`{name.replace('`', '``')}`:int,b:decimal(3,1)>")

    assert kind == Struct((Field(name, INT), Field("b", Decimal(3, 1))))
    assert (has_equality(kind), has_order(kind), can_be_stored(kind)) == (True, True, True)
    assert fields_by_name(kind) == {name: INT, "b": Decimal(3, 1)}


@pytest.mark.parametrize(
    ("text", "kind", "equality", "order", "stored"),
    [
        ("array<struct<a:interval day>>", Array(Struct((Field("a", Interval("day", "day")),))), True, True, False),
        ("struct<a:interval>", Struct((Field("a", Simple.CALENDAR_INTERVAL),)), True, False, False),
        ("struct<a:map<int,int>>", Struct((Field("a", Map(INT, INT)),)), False, False, True),
        ("array<variant>", Array(Simple.VARIANT), False, False, True),
        ("array<time(3)>", None, True, True, False),
        ("map<string collate UNICODE,int>", None, False, False, False),
    ],
)
def test_what_is_inside_decides(text: str, kind: object, equality: bool, order: bool, stored: bool) -> None:
    """At any depth."""
    parsed = parse_type(text)

    assert kind is None or parsed == kind
    assert (has_equality(parsed), has_order(parsed), can_be_stored(parsed)) == (equality, order, stored)


def test_a_field_beside_an_odd_one_has_its_type() -> None:
    """`decimal(1,1)` is a name here."""
    view = view_over("struct<`decimal(1,1)`:int,b:decimal(9,2)>", "SELECT c.b AS b, c.`decimal(1,1)` AS d FROM s.t")

    assert [column.type for column in view.columns] == ["decimal(9,2)", "int"]


@pytest.mark.parametrize(
    "text", ["struct<a,b:int>", "struct<a:b:int>", "struct<<:int>", "struct<a:int,... 5 more fields>"]
)
def test_names_without_quotation_marks_are_not_guessed(text: str) -> None:
    """Spark prints them so, and nobody knows where such a name ends."""
    assert parse_type(text) == Opaque(text)
    assert fields_by_name(parse_type(text)) == {}
