"""The schema that Spark is told of named files."""

from __future__ import annotations

from dbt.adapters.trickle.warehouses.schema_text import ddl_of
from trickle import Column


def test_columns_and_their_types() -> None:
    """As Spark writes types."""
    columns = (Column("id", "bigint"), Column("price", "decimal(10,2)"), Column("at", "timestamp_ntz"))

    assert ddl_of(columns) == "`id` bigint, `price` decimal(10,2), `at` timestamp_ntz"


def test_any_name_is_quoted() -> None:
    """A name may be a word of SQL, or hold a comma, blanks and the quote itself."""
    columns = (Column("select", "int"), Column("a, b", "string"), Column("tick`s", "date"), Column("né", "int"))

    assert ddl_of(columns) == "`select` int, `a, b` string, `tick``s` date, `né` int"
