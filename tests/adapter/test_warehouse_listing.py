"""Relations from Spark's listing have the right type, whatever their text."""

from __future__ import annotations

from dbt.adapters.contracts.relation import RelationType

from dbt.adapters.trickle.catalog.listing import relations_from

TABLE = """Catalog: spark_catalog
Database: shop
Table: orders
Owner: me
Type: MANAGED
Provider: delta
Comment: Type: VIEW
Schema: root
 |-- Type: string (nullable = true)
"""
VIEW = """Catalog: spark_catalog
Database: shop
Table: totals
Type: VIEW
View Text: select 1 as x
Provider: delta
Schema: root
 |-- x: integer (nullable = false)
"""


def test_a_delta_table_is_a_table_whatever_its_comment_says() -> None:
    """The words of a comment are not parsed as the listing's own."""
    (relation,) = relations_from([("shop", "orders", False, TABLE)])

    assert (relation.type, relation.is_delta) == (RelationType.Table, True)
    assert (relation.schema, relation.identifier) == ("shop", "orders")


def test_a_view_is_a_view_whatever_its_text_says() -> None:
    """A view whose text has a line like a provider is still not a Delta table."""
    (relation,) = relations_from([("shop", "totals", False, VIEW)])

    assert (relation.type, relation.is_delta) == (RelationType.View, False)


def test_temporary_views_are_no_relations() -> None:
    """They belong to one session; dbt would drop or rename them in a schema they are not in."""
    assert relations_from([("", "scratch", True, VIEW)]) == []
