"""The shop's days are the same wherever and whenever they are played."""

from __future__ import annotations

import re

import pytest
from shopkeeper.days import KINDS, ORDERS_A_DAY, Shop, date_of, kind_of

from trickle.functions import Determinism, facts_of

SHOP = Shop(orders=240)
DAYS = range(1, 2 * len(KINDS) + 1)


def everything(shop: Shop) -> list[str]:
    return [one.sql for one in shop.opening()] + [one.sql for day in DAYS for one in shop.day(day)]


def test_a_day_is_the_same_text_every_time() -> None:
    """Two shops of the same size and seed live the same days."""
    assert everything(Shop(orders=240, seed=7)) == everything(Shop(orders=240, seed=7))


def test_the_seed_is_in_every_throw_of_the_dice() -> None:
    """Another seed is another shop."""
    dice, *_ = SHOP.opening()
    others, *_ = Shop(seed=SHOP.seed + 1).opening()

    assert "xxhash64(42, what, number)" in dice.sql
    assert "xxhash64(43, what, number)" in others.sql


def test_nothing_depends_on_the_moment() -> None:
    """No clock, no chance, no session: only the seed and the row's number decide."""
    called = {name.lower() for sql in everything(SHOP) for name in re.findall(r"(\w+)\s*\(", sql)}

    moving = (Determinism.RANDOM, Determinism.CLOCK, Determinism.SESSION)
    assert [name for name in sorted(called) if facts_of(name).determinism in moving] == []


def test_every_name_is_filled_in() -> None:
    """No $name is left for Spark to stumble over."""
    assert [sql for sql in everything(SHOP) if "$" in sql] == []


def test_two_days_of_one_kind_differ() -> None:
    """The next round of days is not the last one again."""
    for place, kind in enumerate(KINDS, start=1):
        first, second = SHOP.day(place), SHOP.day(place + len(KINDS))

        assert kind_of(place) is kind_of(place + len(KINDS)) is kind
        assert (first != second) is bool(kind.files)


def test_the_days_show_every_sort_of_change() -> None:
    """Rows come, change and go, two sides of a join move on one day, and one day brings nothing."""
    verbs = [{one.sql.split()[0] for one in SHOP.day(day) if one.title} for day in DAYS]
    tables = [set(re.findall(r"(?:insert into|update|delete from) (shop\.\w+)", _text(day))) for day in DAYS]

    assert set().union(*verbs) == {"insert", "update", "delete"}
    assert {"insert"} in verbs, "a day that only adds"
    assert any({"shop.products", "shop.order_lines", "shop.orders"} <= touched for touched in tables)
    assert set() in tables, "a day with none"


def test_what_is_inserted_is_not_there_yet() -> None:
    """A day that was interrupted is played again from its start: every INSERT leaves out what it finds."""
    inserts = [sql for day in DAYS for sql in (one.sql for one in SHOP.day(day)) if sql.startswith("insert")]

    assert inserts
    for sql in inserts:
        table = sql.split()[2]
        assert f"where not exists (select 1 from {table} where" in sql


def test_days_bring_orders_of_their_own() -> None:
    """No two days insert the same order."""
    ranges = [re.search(r"from range\((\d+), (\d+) \+ (\d+)\)", _insert_of_orders(day)) for day in (1, 3, 5)]
    starts = [int(found[1]) for found in ranges if found]

    assert starts == [SHOP.orders + 1 + (day - 1) * ORDERS_A_DAY for day in (1, 3, 5)]


def test_titles_are_short() -> None:
    """They are shown side by side on one line of the console."""
    for day in (0, *DAYS):
        told = [one.title for one in (SHOP.day(day) if day else SHOP.opening()) if one.title]

        assert len(" · ".join(told)) <= 90


@pytest.mark.parametrize("day", DAYS)
def test_the_calendar_follows_the_days(day: int) -> None:
    """What comes in on a day bears its date."""
    for one in SHOP.day(day):
        for mentioned in re.findall(r"date '([\d-]+)'", one.sql):
            assert mentioned == date_of(day).isoformat()


def _text(day: int) -> str:
    return ";\n".join(one.sql for one in SHOP.day(day))


def _insert_of_orders(day: int) -> str:
    return next(one.sql for one in SHOP.day(day) if one.sql.startswith("insert into shop.orders"))
