"""Printing a type and parsing the text gives the type again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trickle.types import (
    Array,
    Char,
    Decimal,
    Field,
    Interval,
    Map,
    Opaque,
    Simple,
    String,
    Struct,
    Time,
    Type,
    Unknown,
    Varchar,
    as_spark_prints,
    normal,
    parse_type,
    type_text,
    widest,
)

NAMES = st.text(min_size=1, max_size=8) | st.sampled_from(["variant", "map<", "a b", "`", "decimal(1,1)", "x:y", ","])
UNITS = ("day", "hour", "minute", "second")
INTERVALS = st.sampled_from(
    [Interval(a, b) for place, a in enumerate(UNITS) for b in UNITS[place:]]
    + [Interval("year", "year"), Interval("year", "month"), Interval("month", "month")]
)
FLAT: st.SearchStrategy[Type] = st.one_of(
    st.sampled_from(Simple),
    st.builds(Decimal, st.integers(1, 38), st.integers(0, 38)),
    st.builds(String, st.sampled_from(["", "UNICODE", "UTF8_LCASE"])),
    st.builds(Char, st.integers(1, 99)),
    st.builds(Varchar, st.integers(1, 99)),
    st.builds(Time, st.integers(0, 6)),
    INTERVALS,
)
TYPES = st.recursive(
    FLAT,
    lambda inner: st.one_of(
        st.builds(Array, inner),
        st.builds(Map, inner, inner),
        st.lists(st.builds(Field, NAMES, inner), max_size=3).map(lambda fields: Struct(tuple(fields))),
    ),
    max_leaves=6,
)


@given(TYPES)
def test_a_printed_type_is_parsed_again(kind: Type) -> None:
    """Whatever its fields are called."""
    assert parse_type(type_text(kind)) == kind


@given(st.text(max_size=30))
def test_any_text_is_parsed(text: str) -> None:
    """What is no type is opaque, and keeps its text."""
    kind = parse_type(text)

    assert isinstance(kind, Unknown) == (not text.strip())
    assert not isinstance(kind, Opaque) or type_text(kind) == text.strip()


@given(st.lists(TYPES, min_size=1, max_size=3))
def test_a_type_in_common_is_the_same_for_equal_types(kinds: list[Type]) -> None:
    """And NULL adds nothing to it."""
    assert widest([kinds[0]] * 2) == kinds[0]
    assert widest([kinds[0], Simple.VOID]) == kinds[0]


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("INTEGER", "int"),
        ("Long", "bigint"),
        ("numeric( 10 , 2 )", "decimal(10,2)"),
        ("dec", "decimal(10,0)"),
        ("decimal(7)", "decimal(7,0)"),
        ("ARRAY< STRUCT<A: INTEGER NOT NULL COMMENT 'x, y', b BIGINT> >", "array<struct<A:int,b:bigint>>"),
        ("INTERVAL YEAR TO MONTH", "interval year to month"),
        ("timestamp_ltz", "timestamp"),
        ("time", "time(6)"),
        ("geometry(4326)", "geometry(4326)"),
        ("array<int", "array<int"),
        ("map<int>", "map<int>"),
        ("interval day to", "interval day to"),
        ("varchar", "varchar"),
        ("", ""),
    ],
)
def test_a_type_has_one_spelling(written: str, printed: str) -> None:
    """Also as DDL writes it. What cannot be parsed stays as it is."""
    assert normal(written) == printed


def test_a_type_with_an_unknown_part_has_no_text() -> None:
    """Nothing is cast to it."""
    assert type_text(Array(Unknown())) == type_text(Struct((Field("a", Unknown()),))) == ""


def test_spark_prints_no_quotation_marks() -> None:
    """DESCRIBE shows names as they are."""
    assert as_spark_prints(parse_type("array<struct<`a b`:int>>")) == "array<struct<a b:int>>"
