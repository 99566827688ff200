"""Columns called by the schema of their table, where a relation with an alias takes the table's place."""

from __future__ import annotations

from sqlglot import exp

from tests import facts
from trickle import Column, Name, Relation, StreamTable, Table, View
from trickle.sql.build import table, verbatim

COLUMNS = (Column("a", "int"), Column("s", "struct<f:int>"))
RELATIONS: dict[Name, Relation] = {
    ("shop", "plain"): Table(("shop", "plain"), COLUMNS),
    ("shop", "kept"): StreamTable(("shop", "kept"), COLUMNS, ("shop", "kept__trickle")),
    ("shop", "seen"): View(("shop", "seen"), COLUMNS, "SELECT shop.kept.a, shop.kept.s FROM shop.kept"),
}


def pinned(text: str) -> str:
    query = facts.pinned(text, RELATIONS.get)
    sources = {source.name: source for source in query.sources}

    def read(name: str) -> exp.Expr:
        if isinstance(sources[name].relation, Table):
            return table(("shop", name.split(".")[-1]), None, 3)
        return exp.Subquery(this=verbatim("SELECT 1"))

    return query.at(read).strip().replace("\n", "")


def test_an_alias_has_no_schema() -> None:
    """The words before the table's own name go; fields behind the column's stay."""
    assert pinned("SELECT shop.kept.a, `Shop` . kept.s.f, kept.a, shop.kept.* FROM shop.kept") == (
        "SELECT kept.a, kept.s.f, kept.a, kept.* FROM (SELECT 1) AS `kept`"
    )
    assert pinned("SELECT shop.seen.a FROM shop.seen") == (
        "SELECT seen.a FROM (SELECT kept.a, kept.s FROM (SELECT 1) AS `kept`) AS `seen`"
    )


def test_a_table_that_is_only_pinned_keeps_its_name_and_schema() -> None:
    """Every byte stays as it was written."""
    assert pinned("SELECT shop.plain.a FROM shop.plain") == "SELECT shop.plain.a FROM `shop`.`plain` VERSION AS OF 3"


def test_a_field_is_no_column_of_a_schema() -> None:
    """The table is called kept, and has a struct."""
    assert pinned("SELECT kept.s.f FROM shop.kept") == "SELECT kept.s.f FROM (SELECT 1) AS `kept`"
    assert pinned("SELECT k.s.f FROM shop.kept AS k") == "SELECT k.s.f FROM (SELECT 1) AS k"
