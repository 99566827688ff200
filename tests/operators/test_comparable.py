"""What stands for values that have no equality of their own when rows are compared."""

from __future__ import annotations

import pytest

from trickle.plan.comparable import all_same, comparable
from trickle.plan.schema import Column
from trickle.sql.build import column
from trickle.sql.text import to_line
from trickle.types import parse_type

TOLD = (
    ("int", "`c`"),
    ("struct<a:int,b:array<string>>", "`c`"),
    ("map<string,int>", "SORT_ARRAY(MAP_ENTRIES(`c`))"),
    (
        "map<string,map<int,int>>",
        "SORT_ARRAY(TRANSFORM(MAP_ENTRIES(`c`), `each_1` -> CASE WHEN `each_1` IS NULL THEN NULL ELSE "
        "NAMED_STRUCT('key', `each_1`.`key`, 'value', SORT_ARRAY(MAP_ENTRIES(`each_1`.`value`))) END))",
    ),
    ("array<map<string,int>>", "TRANSFORM(`c`, `each_1` -> SORT_ARRAY(MAP_ENTRIES(`each_1`)))"),
    ("variant", "NAMED_STRUCT('json', TO_JSON(`c`), 'types', SCHEMA_OF_VARIANT(`c`))"),
)


@pytest.mark.parametrize(("kind", "text"), TOLD, ids=[kind for kind, _ in TOLD])
def test_a_value_is_compared_by_what_is_in_it(kind: str, text: str) -> None:
    """At any depth; what has an equality stands for itself."""
    assert to_line(comparable(column("c"), parse_type(kind))) == text


def test_a_column_without_a_type_decides_nothing() -> None:
    """There is only NULL in it, and Delta's MERGE does not find it equal to itself."""
    rows = all_same([Column("a", "int"), Column("nothing", "void")], "one", "other")

    assert to_line(rows) == "`one`.`a` IS NOT DISTINCT FROM `other`.`a` AND TRUE"
