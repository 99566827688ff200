"""ClockDelta: what a condition takes or leaves because the clock went on."""

from __future__ import annotations

import pytest

from tests.operators.plans import ORDERS
from tests.oracle.generate_scalars import scalar
from trickle.apply.price import Rates, Sizes, estimate
from trickle.delta.nonnegative import only_adds
from trickle.delta.simplify import simplify
from trickle.operators import ClockDelta, Empty
from trickle.plan.clock import ClockCall
from trickle.plan.instant import Clock, Instants
from trickle.render.reads import Binding, Reads
from trickle.render.render import render
from trickle.sql.build import table
from trickle.sql.text import to_text

NOW = "CLOCK('unix_timestamp')"
BEFORE = "CLOCK('unix_timestamp', 'before')"


def moved(condition: str) -> ClockDelta:
    return ClockDelta(ORDERS, scalar(condition.replace("now", BEFORE)), scalar(condition.replace("now", NOW)))


def sql(op: ClockDelta) -> str:
    clock = Clock(Instants(5000, 0, "UTC"), Instants(9000, 0, "UTC"))
    text = to_text(render(op, Binding({"orders": Reads(table(("orders",)))}, clock=clock)), pretty=False)
    return text.replace("`", "").replace("CAST(5 AS BIGINT)", "5").replace("CAST(9 AS BIGINT)", "9")


@pytest.mark.parametrize("condition", ["id > now", "now >= id", "id < now", "id <= now"])
def test_a_comparison_is_looked_up_as_a_range(condition: str) -> None:
    """Rows outside the two edges cannot have changed sides."""
    assert "orders.id BETWEEN LEAST(5, 9) AND GREATEST(5, 9)" in sql(moved(condition))


def test_days_between_are_a_range_of_days() -> None:
    """DATEDIFF(now, day) <= 7 is a comparison of the day with the date seven days ago."""
    assert "CAST(orders.id AS DATE) BETWEEN LEAST(DATE_SUB(5, 7)" in sql(moved("DATEDIFF(now, id) <= 7"))
    assert "CAST(orders.id AS DATE) BETWEEN LEAST(DATE_ADD(5, 7)" in sql(moved("DATEDIFF(id, now) > 7"))


@pytest.mark.parametrize("condition", ["id = now", "id > now + amount", "id + now > 3", "NULLIF(now, 5) > id"])
def test_what_is_no_such_comparison_is_judged_row_by_row(condition: str) -> None:
    """No range is claimed where the edge may be NULL, differ from row to row, or is no edge at all."""
    assert "BETWEEN" not in sql(moved(condition))


def test_unknown_is_not_taken() -> None:
    """A condition that is UNKNOWN before and false after has not changed: neither takes the row."""
    text = sql(moved("id > now"))

    assert "COALESCE(orders.id > 5, FALSE) <> COALESCE(orders.id > 9, FALSE)" in text
    assert "CASE WHEN COALESCE(orders.id > 9, FALSE) THEN" in text


def test_no_rows_move_nothing() -> None:
    """ClockDelta of nothing is nothing; of something, it may remove."""
    assert isinstance(simplify(ClockDelta(Empty(ORDERS.schema), scalar("id > 1"), scalar("id > 2"))), Empty)
    assert not only_adds(moved("id > now"))


def test_few_rows_are_expected_to_move() -> None:
    """The estimate is a small share of the input's rows."""
    found = estimate(moved("id > now"), {"orders": Sizes(1_000_000, 0)}, 0, Rates())

    assert 0 < found.rows <= 100_000


def test_the_marks_are_the_readings() -> None:
    """What these tests write is what lowering writes."""
    assert to_text(ClockCall("unix_timestamp").tree()) == NOW
    assert to_text(ClockCall("unix_timestamp", before=True).tree()) == BEFORE
