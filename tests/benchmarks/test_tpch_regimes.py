"""The changes of a round, as statements."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.tpch_regimes import PERCENT, Change
from benchmarks.tpch_tables import TABLES, create_statements


def change(regime: str, number: int = 3, percent: float | None = None, scale: float = 1.0) -> tuple[str, ...]:
    return Change(regime, PERCENT[regime] if percent is None else percent, scale, number).statements()


def kinds(statements: tuple[str, ...]) -> list[tuple[str, str]]:
    """Verb and table of each."""
    verb_and_table = re.compile(r"^(insert into|delete from|update) tpch\.(\w+)", re.MULTILINE)
    return verb_and_table.findall("\n".join(statements))


NEW = [("insert into", "orders"), ("insert into", "lineitem")]
GONE = [("delete from", "orders"), ("delete from", "lineitem")]
UPDATED = [("update", table) for table in ("customer", "part", "supplier", "partsupp")]


@pytest.mark.parametrize(
    ("regime", "expected"), [("append", NEW), ("refresh", NEW + GONE), ("mixed", NEW + GONE + UPDATED)]
)
def test_a_regime_changes_its_tables(regime: str, expected: list[tuple[str, str]]) -> None:
    """append adds orders, refresh also removes some, mixed also updates four other tables."""
    assert kinds(change(regime)) == expected


def test_new_orders_have_keys_of_their_own() -> None:
    """Every round copies only generated orders, to keys above those of every earlier round."""
    orders, lines = change("append", number=3)

    assert "select o_orderkey + 18000000 as o_orderkey" in orders
    assert "where o_orderkey <= 6000000 and" in orders
    assert "select l_orderkey + 18000000 as l_orderkey" in lines


def test_an_order_comes_with_its_line_items() -> None:
    """Both sides are chosen by the same hash of the same key, so no join finds a new order without its lines."""
    orders, lines = change("append", number=3)

    assert orders.endswith("and pmod(xxhash64(o_orderkey, 3, 1), 1000000) < 1000")
    assert lines.endswith("and pmod(xxhash64(l_orderkey, 3, 1), 1000000) < 1000")


def test_no_copy_ties_with_its_original() -> None:
    """Under a LIMIT over rows that tie several results would be right."""
    orders, lines = change("append", number=7)

    assert "cast(o_totalprice + 0.07 as decimal(15, 2)) as o_totalprice" in orders
    assert "cast(l_extendedprice + 0.07 as decimal(15, 2)) as l_extendedprice" in lines


def test_a_refresh_removes_a_contiguous_range() -> None:
    """A thousandth of the key space, of both tables; the next round removes the next one."""
    assert change("refresh", number=3)[2:] == (
        "delete from tpch.orders where o_orderkey > 18000 and o_orderkey <= 24000",
        "delete from tpch.lineitem where l_orderkey > 18000 and l_orderkey <= 24000",
    )
    assert "l_orderkey > 24000 and l_orderkey <= 30000" in change("refresh", number=4)[3]


def test_a_refresh_without_orders_left_is_refused() -> None:
    """Deleting nothing would be measured as if it were a change."""
    change("refresh", number=9, percent=10.0)

    with pytest.raises(ValueError, match="Round 10 finds no range of 10 %"):
        change("refresh", number=10, percent=10.0)


def test_what_is_updated_is_a_quarter_of_what_comes() -> None:
    """At 1 % of the orders 0.25 % of the other tables' rows."""
    statements = change("mixed")

    assert all(text.endswith("1000000) < 10000") for text in statements[:4])
    assert all(text.endswith("1000000) < 2500") for text in statements[4:])


def test_the_scale_moves_the_keys() -> None:
    """At a hundredth of the data the range is a hundredth as wide, and new keys begin a hundredth as high."""
    orders, _, gone, _ = change("refresh", number=2, scale=0.01)

    assert "o_orderkey + 120000 as" in orders
    assert gone == "delete from tpch.orders where o_orderkey > 120 and o_orderkey <= 180"


def test_an_unknown_regime_is_an_error() -> None:
    """It would measure no change at all."""
    with pytest.raises(ValueError, match="There is no regime mixd: choose of append, refresh, mixed"):
        Change("mixd", 1.0, 1.0, 1).statements()


def test_tables_have_a_change_feed_and_clusters_on_demand() -> None:
    """The plain table that is measured beside reads the same ones."""
    plain = list(create_statements(Path("/p"), clustered=False))
    clustered = list(create_statements(Path("/p"), clustered=True))

    assert re.findall(r"tpch\.(\w+)", " ".join(plain)) == list(TABLES)
    assert all(
        "'delta.enableChangeDataFeed' = 'true', 'delta.enableDeletionVectors' = 'true'" in text for text in plain
    )
    assert not any("cluster by" in text for text in plain)
    assert "cluster by (l_orderkey) tblproperties" in clustered[-1]
    assert plain[0] == clustered[0]
