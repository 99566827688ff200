"""Instants: the clock in a session's zone, and the instant of a refresh."""

from __future__ import annotations

import pytest

from tests import facts
from trickle import (
    Column,
    Frontier,
    Happened,
    InvalidView,
    Probe,
    Request,
    Stamp,
    Table,
    Target,
    exact_check,
    plan_refresh,
)
from trickle.apply.step_sql import step_sql
from trickle.catalog.frontier import SourcePosition, parse_stamp
from trickle.catalog.happened import Appended, MaintenanceOnly, Unchanged
from trickle.plan.clock import ClockCall
from trickle.plan.instant import Instants
from trickle.planning.instants import as_of, clock_of
from trickle.sql.text import to_line

SPRING = 1_774_745_999_000
"""2026-03-29 00:59:59 UTC: one second before clocks are put forward in Vienna."""
AUTUMN = 1_792_888_200_000
"""2026-10-25 00:30:00 UTC: half past two in Vienna, for the first time that night."""
HOUR = 3_600_000
COLUMNS = (Column("id", "int"), Column("day", "date"))


def told(instant: int, zone: str, name: str) -> str:
    return to_line(Instants(instant, 0, zone).literal(ClockCall(name)))


def test_summer_time_begins_and_ends() -> None:
    """The offset distinguishes equal local times; local time without it repeats."""
    zone = "Europe/Vienna"

    assert told(SPRING, zone, "current_timestamp") == "CAST('2026-03-29 01:59:59.000+01:00' AS TIMESTAMP)"
    assert told(SPRING + 1000, zone, "current_timestamp") == "CAST('2026-03-29 03:00:00.000+02:00' AS TIMESTAMP)"
    assert told(AUTUMN, zone, "current_timestamp") == "CAST('2026-10-25 02:30:00.000+02:00' AS TIMESTAMP)"
    assert told(AUTUMN + HOUR, zone, "current_timestamp") == "CAST('2026-10-25 02:30:00.000+01:00' AS TIMESTAMP)"
    assert told(AUTUMN, zone, "localtimestamp") == told(AUTUMN + HOUR, zone, "localtimestamp")


def test_a_day_begins_at_midnight_of_the_zone() -> None:
    """In Vienna it is tomorrow already, in New York still today."""
    late = SPRING + 22 * HOUR

    assert told(late, "Europe/Vienna", "current_date") == "CAST('2026-03-30' AS DATE)"
    assert told(late, "America/New_York", "current_date") == "CAST('2026-03-29' AS DATE)"
    assert told(late, "+05:30", "current_date") == "CAST('2026-03-30' AS DATE)"
    assert told(late, "UTC", "unix_timestamp") == f"CAST({late // 1000} AS BIGINT)"


def test_an_unknown_zone_is_refused_in_a_sentence() -> None:
    """Better no refresh than one that begins its days at the wrong hour."""
    with pytest.raises(InvalidView, match="the time zone Mars/Olympus is not known"):
        told(SPRING, "Mars/Olympus", "current_date")


def stamp(now: int | None, data: int) -> Stamp:
    positions = {"events": SourcePosition("t", 1, data)}
    return Stamp("model", 1, "FULL", "r", "s", "d", {"time_zone": "UTC"}, Frontier(positions, now), data, "0")


def probe(happened: Happened, committed: int) -> dict[str, Probe]:
    return {"events": Probe("events", SourcePosition("t", 2, committed), happened)}


def test_the_instant_is_written_and_read_back() -> None:
    """A stamp has it; one of a release before instants has none."""
    assert parse_stamp(stamp(7, 5).to_json()) == stamp(7, 5)
    assert parse_stamp(stamp(7, 5).to_json().replace('"now":7,', "")) == stamp(None, 5)


def test_time_never_goes_back() -> None:
    """A machine whose clock is behind refreshes at the last instant again."""
    clock = clock_of(stamp(9000, 5), probe(Unchanged(), 5), 8000, {"time_zone": "UTC"})

    assert clock.after.now == 9000


def test_a_visible_clock_waits_for_the_data() -> None:
    """Only a commit that changes rows moves their instant."""
    for happened, shown in ((Unchanged(), 5), (MaintenanceOnly(), 5), (Appended(None), 70)):
        assert clock_of(stamp(9, 5), probe(happened, 70), 99, {"time_zone": "UTC"}).after.data == shown


def view(sql: str):  # type: ignore[no-untyped-def]
    return facts.compiled(sql, lambda name: Table(name, COLUMNS) if name == ("events",) else None)


def test_refreshes_and_the_check_carry_the_recorded_instant() -> None:
    """The statement has both instants as literals, the exact check that of the stamp; Spark's clock is not read."""
    compiled = view("SELECT id FROM events WHERE day > current_date /* today */ - INTERVAL 7 DAYS")
    target = Target(("facade",), ("storage",), exists=True, rows=10)
    state = Stamp(
        "model", 1, "FULL", "r", "s", compiled.definition, {"time_zone": "UTC"}, stamp(SPRING, 5).frontier, 5, "0"
    )
    request = Request("model", SPRING + 24 * HOUR, {"time_zone": "UTC"})
    plan = plan_refresh(compiled, target, state, probe(Unchanged(), 5), request)
    check = exact_check(compiled, target, as_of(state))

    assert plan.stamp is not None and plan.stamp.frontier.now == SPRING + 24 * HOUR
    text = " ".join(step_sql(one) for one in plan.steps)
    assert "CAST('2026-03-30' AS DATE)" in text
    assert "day > CAST('2026-03-29' AS DATE) /* today */ - INTERVAL 7 DAYS" in check
    assert "current_date" not in (text + check).lower()


@pytest.mark.parametrize(
    ("sql", "freezes"),
    [
        ("SELECT id, now() AS loaded FROM events", True),
        ("WITH e AS (SELECT *, current_date AS today FROM events) SELECT id, today FROM e", True),
        ("WITH e AS (SELECT *, current_date AS today FROM events) SELECT id FROM e WHERE day < today", False),
        ("SELECT MAX(now()) AS latest FROM events", False),
        ("SELECT id, current_date AS a FROM events UNION ALL SELECT id, current_date AS b FROM events", True),
        ("SELECT id, COUNT(*) OVER () AS every, now() AS loaded FROM events", True),
        ("SELECT COUNT(*) OVER () AS every FROM (SELECT id, now() AS n FROM events) e", False),
    ],
)
def test_what_is_only_shown_is_found_through_projections(sql: str, freezes: bool) -> None:
    """It waits for the data unless a row, a group or a window depends on it."""
    assert view(sql).freezes is freezes


def test_a_column_of_that_name_is_not_the_clock() -> None:
    """Spark resolves a bare word as a column first: the query is left to Spark."""
    compiled = view(
        "SELECT id FROM (SELECT id, day AS current_date FROM events) e WHERE current_date > DATE '2026-01-01'"
    )

    assert [one.code for one in compiled.reasons] == ["reads_differently"]
    assert not compiled.clock_calls


@pytest.mark.parametrize("text", ["DATE 'today'", "CAST('now' AS TIMESTAMP)", "to_date('Yesterday')", "current_time()"])
def test_other_ways_to_ask_the_clock_are_refused_by_name(text: str) -> None:
    """They would be taken for constants."""
    assert [one.code for one in view(f"SELECT id FROM events WHERE day > {text}").reasons] == ["clock_function"]
