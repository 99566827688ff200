"""No statement reads what Spark takes for something else: a table beside its feed, two ranges of one feed."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import trickle
from tests.facts import pinned
from trickle import Column, InternalError, InvalidView, Relation, StreamTable, Table, View
from trickle.apply.materialized_parts import staged
from trickle.apply.printed import printed
from trickle.apply.steps import Kind
from trickle.catalog.change_sources import FeedRange
from trickle.catalog.reads import at_version
from trickle.plan.ranges import ColumnStatistics
from trickle.sql.build import subquery, verbatim
from trickle.sql.parse import parse_select

ORDERS = Table(("shop", "orders"), (Column("id", "int"),))
STORED = StreamTable(("shop", "kept"), (Column("id", "int"),), ("shop", "kept__trickle"))
RELATIONS: dict[tuple[str, ...], Relation] = {
    ("shop", "orders"): ORDERS,
    ("orders",): ORDERS,
    ("spark_catalog", "shop", "orders"): ORDERS,
    ("shop", "kept"): STORED,
    ("shop", "kept__trickle"): Table(("shop", "kept__trickle"), (Column("id", "int"),)),
    ("shop", "seen"): View(("shop", "seen"), (Column("id", "int"),), "SELECT id FROM shop.orders"),
    ("shop", "told"): View(("shop", "told"), (), "SELECT id FROM table_changes('shop.orders', 1)"),
}
FEED = "table_changes('shop.orders', 1, 2)"
MISREAD = (
    f"SELECT * FROM shop.orders JOIN {FEED} USING (id)",
    f"SELECT * FROM {FEED} WHERE id IN (SELECT id FROM Shop.Orders)",
    f"WITH c AS (SELECT * FROM shop.orders) SELECT * FROM c, {FEED}",
    f"SELECT * FROM {FEED}, spark_catalog.shop.orders",
    "SELECT * FROM TABLE_CHANGES('`shop`.`orders`', 1, 2), shop.orders",
    f"SELECT * FROM {FEED} UNION ALL SELECT * FROM table_changes('shop.orders', 2)",
    f"SELECT *, (SELECT COUNT(*) FROM table_changes('shop.orders', 1)) AS n FROM {FEED}",
)
RIGHT = (
    f"SELECT * FROM shop.orders VERSION AS OF 2, {FEED}",
    f"SELECT * FROM {FEED} AS a, {FEED} AS b",
    f"SELECT * FROM {FEED}, shop.customers",
    f"WITH orders AS (SELECT 1 AS id) SELECT * FROM orders, {FEED}",
    "SELECT * FROM shop.orders VERSION AS OF 1, shop.orders VERSION AS OF 2, shop.orders",
    f"SELECT * FROM {FEED}, table_changes('shop.customers', 1)",
)


@pytest.mark.parametrize("text", MISREAD)
def test_such_a_statement_is_never_printed(text: str) -> None:
    """Whether it is a tree or a text that was spliced into one: it is a bug of ours, and stops before Spark."""
    spliced = parse_select("SELECT 1 AS one").copy()
    spliced.args["from_"] = None
    spliced.from_(subquery(verbatim(text), "q"), copy=False)

    for tree in (parse_select(text), spliced):
        with pytest.raises(InternalError, match=r"change feed of shop\.orders beside another read"):
            printed(tree)


def test_a_plain_read_in_a_text_is_found_beside_our_feed() -> None:
    """What is spliced is read as well, and so is what is computed first."""
    tree = (
        parse_select("SELECT 1 AS one")
        .copy()
        .from_(FeedRange(1, 2).relation(ORDERS, ColumnStatistics()).as_("f"), copy=False)
    )
    tree.join(subquery(verbatim("SELECT id FROM shop.orders"), "q"), copy=False)

    with pytest.raises(InternalError):
        staged(Kind.APPEND, tree, "planted")


@pytest.mark.parametrize("text", RIGHT)
def test_what_spark_tells_apart_is_printed(text: str) -> None:
    """A version is remembered with the table's name, and one feed read twice is one feed."""
    assert printed(parse_select(text))


def test_a_source_is_read_at_versions_beside_its_feed() -> None:
    """The statements of a refresh."""
    tree = (
        parse_select("SELECT 1 AS one")
        .copy()
        .from_(FeedRange(1, 2).relation(ORDERS, ColumnStatistics()).as_("f"), copy=False)
    )
    tree.join(at_version(ORDERS, 2).as_("after"), copy=False).join(at_version(ORDERS, 0).as_("before"), copy=False)

    assert printed(tree).count("VERSION AS OF") == 2


@pytest.mark.parametrize(
    "text",
    [
        *MISREAD,
        f"SELECT * FROM shop.seen, {FEED}",
        "SELECT * FROM shop.told, shop.orders",
        f"SELECT * FROM shop.told, {FEED}",
        "SELECT * FROM orders, table_changes('orders', 1)",
        "SELECT * FROM shop.kept, table_changes('shop.kept__trickle', 1)",
    ],
)
def test_a_model_that_asks_for_it_is_refused(text: str) -> None:
    """In one sentence: Spark would answer, and the answer would be of another read. Views are looked through."""
    with pytest.raises(InvalidView, match=r"the change feed of shop\.\w+ stands beside another read of it"):
        pinned(text, RELATIONS.get)


@pytest.mark.parametrize("text", [RIGHT[0], RIGHT[1], "SELECT * FROM shop.kept, shop.orders"])
def test_other_models_are_not(text: str) -> None:
    """A feed by itself, or beside a version that the model names, is Spark's to answer."""
    assert pinned(text, RELATIONS.get)


def test_nothing_else_makes_statements() -> None:
    """Texts that Spark runs are printed where the check is; the others ask only what a text means."""
    elsewhere = {
        "sql/text.py",
        "apply/printed.py",
        "apply/step_sql.py",
        "planning/compile.py",
        "lower/select/requested_types.py",
    }
    engine = Path(trickle.__file__).parent
    files = [file for file in engine.rglob("*.py") if "cli" not in file.parts]
    printing = {str(file.relative_to(engine)) for file in files if _names(file, "to_text")}

    assert printing == elsewhere


def _names(file: Path, name: str) -> bool:
    tree = ast.parse(file.read_text("utf-8"))
    return any(
        isinstance(node, (ast.Name, ast.FunctionDef)) and name in (getattr(node, "id", ""), getattr(node, "name", ""))
        for node in ast.walk(tree)
    )
