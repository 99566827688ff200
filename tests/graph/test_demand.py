"""Calculated schedules, and who makes whom due."""

from __future__ import annotations

from typing import Any

from tests.schedule.instants import at
from trickle.graph.demand import Graph, Vertex
from trickle.schedule.duration import DAY, HOUR, MINUTE
from trickle.schedule.parse import parse_schedule
from trickle.schedule.slots import CombinedSchedule, Cron, EveryRun
from trickle.schedule.target_lag import TargetLag

NOW = at("2026-11-19 12:00")
VIEW: Any = object()
"""In place of a schedule: the node is no stream table."""


def graph(**nodes: tuple[Any, str]) -> Graph:
    """name=(schedule or None or VIEW, "names it reads")."""
    return Graph(
        {
            name: Vertex(
                name,
                tuple(reads.split()),
                schedule is not VIEW,
                parse_schedule(schedule) if schedule is not VIEW and schedule is not None else None,
            )
            for name, (schedule, reads) in nodes.items()
        }
    )


def due(found: Graph, selected: set[str] | None = None, tick: int = NOW, **last: int) -> dict[str, str]:
    """Who is due and why; `last` in minutes before the tick, a day for the rest."""
    ago = {name: tick - last.get(name, 60 * 24) * MINUTE for name in found.vertices}
    judged = found.due(ago, tick, None if selected is None else frozenset(selected))
    return {name: one.why for name, one in judged.items() if one.due}


def test_the_tightest_dependent_counts() -> None:
    """Through a chain of stream tables, to its end."""
    found = graph(a=("calculated", ""), b=("calculated", "a"), c=("1h", "b"), d=("5m", "b"))

    assert str(found.schedule("a")) == str(found.schedule("b")) == "calculated: target lag 5m"
    assert found.schedule("c") == TargetLag(HOUR)


def test_views_and_tables_are_looked_through() -> None:
    """Whatever lies between two stream tables."""
    found = graph(a=(None, ""), view=(VIEW, "a"), table=(VIEW, "view"), b=("10m", "table"))

    assert found.schedule("a") == CombinedSchedule((TargetLag(10 * MINUTE),))


def test_a_dependent_with_a_schedule_makes_calculated_the_default() -> None:
    """Without one, a table is refreshed at every run, whether it says `calculated` or nothing."""
    found = graph(a=(None, ""), b=("@daily", "a"), c=("calculated", "a"), d=(None, ""))

    assert found.schedule("a") == CombinedSchedule((Cron("0 0 * * *", "UTC"),))
    assert found.schedule("c") == found.schedule("d") == EveryRun()


def test_of_diamonds() -> None:
    """Each dependent counts once."""
    found = graph(a=(None, ""), b=(None, "a"), c=("1h", "a"), d=("20m", "b c"))

    assert found.schedule("a") == found.schedule("b") == CombinedSchedule((TargetLag(20 * MINUTE),))
    assert list(found.dependents("a")) == ["b", "c", "d"]


def test_a_due_table_makes_those_it_reads_due() -> None:
    """However long their own schedules are, through views, along chains and both arms of a diamond."""
    found = graph(a=("1d", ""), view=(VIEW, "a"), b=("1d", "view"), c=("1d", "a"), d=("5m", "b c"), e=("1d", "d"))

    assert due(found, a=1, b=1, c=1, d=5, e=1) == {"a": "needed", "b": "needed", "c": "needed", "d": "slot"}
    assert due(found, a=1, b=1, c=1, d=0, e=1) == {}


def test_only_what_is_run_now_asks() -> None:
    """A dependent that is not selected keeps its say in `calculated`, and asks for nothing."""
    found = graph(a=("1d", ""), b=("5m", "a"), c=(None, ""), d=("5m", "c"))

    assert due(found, {"a", "c"}, a=1, b=5, c=5, d=5) == {"b": "slot", "c": "slot", "d": "slot"}
    assert due(found, {"a", "b"}, a=1, b=5, c=5, d=5)["a"] == "needed"


def test_what_is_refreshed_at_every_run_asks_for_nothing() -> None:
    """A table without a schedule over one with a daily schedule does not make the daily one due at every run."""
    found = graph(a=("1d", ""), b=(None, "a"))

    assert due(found, a=1, b=1) == {"b": "every_run"}


def test_what_was_never_built_asks() -> None:
    """Its first rows reflect the moment of the run, and so do those it reads."""
    found = graph(a=("1d", ""), b=("1d", "a"))
    judged = found.due({"a": NOW - MINUTE}, NOW)

    assert (judged["b"].why, judged["a"].why, judged["a"].needed_by) == ("never_refreshed", "needed", "b")


def test_no_schedule_anywhere() -> None:
    """Every table at every run."""
    found = graph(a=(None, ""), view=(VIEW, "a"), b=(None, "view"))

    assert due(found, a=0, b=0) == {"a": "every_run", "b": "every_run"}


def test_a_cron_and_a_duration_together() -> None:
    """A table serves each of its dependents at each one's slots."""
    found = graph(a=(None, ""), b=("1d", "a"), c=({"cron": "7 * * * *"}, "a"))

    assert due(found, {"a"}, tick=NOW + 7 * MINUTE, a=2, b=2, c=2)["a"] == "slot"
    assert "a" not in due(found, {"a"}, tick=NOW + 9 * MINUTE, a=1, b=1, c=1)
    assert found.schedule("a").target(NOW) == min(DAY, HOUR)
