"""Columns are read the way Spark writes them, nested types whole, and a wrong file is one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dbt.adapters.trickle.cli.refusal import Refusal
from dbt.adapters.trickle.cli.schema_file import columns_of, read_schema, resolver, split_columns
from trickle import Column


def test_commas_inside_types_do_not_separate_columns() -> None:
    """STRUCT<…>, DECIMAL(12,2) and back-quoted names may have commas."""
    text = "a INT, b STRUCT<x: INT, y: MAP<STRING, ARRAY<INT>>>, c DECIMAL(12,2), `d, e` STRING"

    assert [part.strip() for part in split_columns(text)] == [
        "a INT",
        "b STRUCT<x: INT, y: MAP<STRING, ARRAY<INT>>>",
        "c DECIMAL(12,2)",
        "`d, e` STRING",
    ]


def test_text_after_the_type_is_dropped() -> None:
    """NOT NULL and COMMENT do not affect the type; types are spelt Spark's short way."""
    columns = columns_of("id INTEGER NOT NULL COMMENT 'the, key', price DECIMAL(12, 2), `of``f` STRING")

    assert columns == (Column("id", "int"), Column("price", "decimal(12,2)"), Column("of`f", "string"))


@pytest.mark.parametrize(
    "told",
    [
        {"t": "a INT, b STRING"},
        {"t": {"a": "INT", "b": "STRING"}},
        {"t": [["a", "INT"], ["b", "STRING"]]},
        {"t": [{"name": "a", "type": "INT"}, {"name": "b", "type": "STRING"}]},
        [{"name": "T", "columns": "a INT, b STRING"}],
    ],
)
def test_every_form_of_a_schema_is_equivalent(told: object, tmp_path: Path) -> None:
    """Text, mappings, pairs, objects and a list of tables are read alike."""
    file = tmp_path / "schema.json"
    file.write_text(json.dumps(told))

    assert read_schema(file) == {"t": (Column("a", "int"), Column("b", "string"))}


@pytest.mark.parametrize("text", ["not json", "3", '{"t": 5}', '{"t": "justaname"}', '[{"columns": "a INT"}]'])
def test_a_wrong_schema_is_refused_by_name(text: str, tmp_path: Path) -> None:
    """The refusal names the file."""
    file = tmp_path / "schema.json"
    file.write_text(text)

    with pytest.raises(Refusal, match=r"schema\.json"):
        read_schema(file)


def test_a_missing_file_is_refused() -> None:
    """Not a traceback but a sentence."""
    with pytest.raises(Refusal, match="cannot be read"):
        read_schema(Path("nowhere.json"))


def test_a_table_is_found_with_and_without_its_schema() -> None:
    """A query may write `t` or `shop.t`; a name that is not in the file is unknown."""
    resolve = resolver({"t": (Column("a", "int"),)}, "shop")

    assert resolve(("t",)) == resolve(("shop", "t"))
    assert resolve(("other",)) is None
