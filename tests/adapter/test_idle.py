"""Stream tables that are skipped, decided from the log and the model's text alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dbt.adapters.trickle.history.delta_files import DeltaLog, last_stamp
from dbt.adapters.trickle.options import read_config
from dbt.adapters.trickle.ports import NOT_SUSPENDED, Suspension
from dbt.adapters.trickle.refreshing.decide import read_state
from dbt.adapters.trickle.refreshing.idle import Idle, Present, idle
from dbt.adapters.trickle.scheduling.memory import failure_properties, failures_of
from tests.adapter.house import SELECT, House
from tests.adapter.log_builder import remove
from tests.adapter.test_refresh_memory import set_properties
from trickle import Action
from trickle.schedule.due import Due
from trickle.schedule.parse import parse_schedule

HOUR = 3_600_000
NIGHTLY = parse_schedule("0 3 * * *", "Asia/Kolkata")
NOT_DUE = Due(False, "not_due", 0, 21 * HOUR + HOUR // 2)
DUE = Due(True, "slot", 0, HOUR)
CONTRACT = {"ansi": "true"}


@pytest.fixture
def built(tmp_path: Path) -> House:
    house = House(tmp_path)
    house.build(house.decide())
    house.storage.checksum(table_id="m")
    return house


def left(house: House, due: Due = NOT_DUE, sql: str = SELECT, contract: dict[str, str] | None = None,
         suspension: Suspension = NOT_SUSPENDED, judged: Any = NIGHTLY, **config: Any) -> Idle | None:  # fmt: skip
    log = DeltaLog(house.storage.path)
    model = {"unique_id": "model.p.m", "config": config, "columns": {}}
    present = Present(
        model, sql, "m__trickle", read_config(config), contract or CONTRACT, read_state(log), 0.0, suspension
    )
    return idle(present, judged, due, 20 * HOUR, "UTC")


def test_a_table_that_is_not_due_is_skipped(built: House) -> None:
    """The message has the next slot, in the zone of the schedule."""
    found = left(built)

    assert found is not None
    assert (found.action, found.reason.code, found.message) == (Action.SKIP, "not_due", "SKIP (not_due) next 03:00")
    assert found.reason.sentence() == (
        "The schedule 0 3 * * * (Asia/Kolkata) has had its refresh; the next slot is 03:00 (Asia/Kolkata)."
    )
    assert (found.response.action, found.response.rows_affected, found.response.metrics["sources"]) == ("SKIP", 0, [])
    assert found.response.next_slot == "1970-01-01T21:30:00+00:00"
    assert found.script.startswith("-- SKIP (not_due): The schedule")
    assert len(found.message) <= 40


def test_a_due_table_is_refreshed(built: House) -> None:
    """A due table is not skipped."""
    assert left(built, DUE) is None


def test_a_table_that_was_never_built_is_refreshed(tmp_path: Path) -> None:
    """Whatever its schedule."""
    assert left(House(tmp_path)) is None


@pytest.mark.parametrize("sql", [f"-- a comment\n{SELECT}", SELECT.lower().replace("select a, b", "select a,\n  b")])
def test_formatting_is_no_change(built: House, sql: str) -> None:
    """A comment or a line break does not make a table due."""
    assert left(built, sql=sql) is not None


@pytest.mark.parametrize(
    "changed",
    [
        {"sql": SELECT + " AND b = 'x'"},
        {"sql": "SELECT a FROM"},
        {"cluster_by": "a"},
        {"tblproperties": {"delta.appendOnly": "true"}},
        {"contract": {"ansi": "false"}},
    ],
)
def test_a_changed_model_is_refreshed(built: House, changed: dict[str, Any]) -> None:
    """SELECT, layout and the session's settings are applied by the next run, due or not."""
    assert left(built, **changed) is None


def test_a_table_changed_by_another_writer_is_refreshed(built: House) -> None:
    """Wrong rows do not wait for a slot."""
    built.storage.commit("DELETE", remove("m0"))

    assert left(built) is None


@pytest.mark.parametrize(
    ("asked", "message", "words"),
    [
        ("1h", "SKIP (not_due) next 21:30 (lag < 1h)", "Never older than 1h: refreshed at least every 26m"),
        ({"target_lag": "2h"}, "SKIP (not_due) next 21:30 (lag < 2h)", "Never older than 2h: refreshed"),
        ({"every": "1h"}, "SKIP (not_due) next 21:30", "One refresh every 1h of the clock and no more: at 21:00"),
    ],
)
def test_both_spellings_have_a_sentence(built: House, asked: Any, message: str, words: str) -> None:
    """The message has the next slot and the target lag; the reason is a sentence."""
    found = left(built, judged=parse_schedule(asked))

    assert found is not None
    assert found.message == message
    assert words in found.reason.sentence()


def test_a_change_of_schedule_alone_changes_nothing(built: House) -> None:
    """The new schedule is used, and nothing is rebuilt."""
    assert left(built, schedule="5m") is not None


def test_an_ignored_change_waits_too(built: House) -> None:
    """`continue` keeps the slots of the applied schedule; `fail` reports a new schedule without waiting for a slot."""
    config = {"on_configuration_change": "continue", "cluster_by": "a", "schedule": "5m"}

    assert left(built, sql=SELECT + " AND b = 'x'", **config) is not None
    assert left(built, schedule="5m", on_configuration_change="fail") is None


def test_too_many_errors_suspend(built: House) -> None:
    """Even a due table; hooks run if configured."""
    stamped = last_stamp(DeltaLog(built.storage.path))
    set_properties(
        built, **failure_properties(2, stamped, False), **read_state(DeltaLog(built.storage.path)).properties
    )
    found = left(built, DUE, max_consecutive_errors=2, hooks_on_skip=True)

    assert found is not None
    assert (found.action, found.message, found.runs_hooks) == (Action.SUSPENDED, "SUSPENDED (2 errors)", True)
    assert found.reason.sentence().endswith(
        "An edit of the model's SELECT, repaired data with --vars '{trickle_force: true}', or `dbt-trickle resume m` "
        "lifts it."
    )
    assert left(built, DUE, max_consecutive_errors=3) is None
    assert left(built, DUE, sql=SELECT + " AND a > 1", max_consecutive_errors=2) is None


@pytest.mark.parametrize(
    ("config", "is_error", "warns"),
    [({}, True, False), ({"on_stale": "warn"}, False, True), ({"on_stale": "ignore"}, False, False)],
)
def test_on_stale_decides_about_a_suspended_table(
    built: House, config: dict[str, str], is_error: bool, warns: bool
) -> None:
    """An error, unless the model configures otherwise."""
    fail(built, 3)
    found = left(built, DUE, **config)

    assert found is not None
    assert (found.on_stale == "error", bool(found.warning)) == (is_error, warns)


def fail(house: House, times: int) -> None:
    """That many refreshes fail."""
    log = DeltaLog(house.storage.path)
    properties = failure_properties(times, last_stamp(log), times >= 3)
    set_properties(house, **{**read_state(log).properties, **properties})


def test_forgiven_failures_are_not_counted(built: House) -> None:
    """Only the failures counted at that time are forgiven, not later ones."""
    fail(built, 3)
    state = read_state(DeltaLog(built.storage.path))
    forgiven = Suspension(forgiven=failures_of(state.definition, state.stamped))
    lifted = left(built, DUE, suspension=forgiven)
    fail(built, 4)

    assert lifted is None
    assert left(built, DUE, suspension=forgiven) is not None


@pytest.mark.parametrize("config", [{}, {"on_stale": "warn"}])
def test_a_table_suspended_by_hand_keeps_its_rows(built: House, config: dict[str, str]) -> None:
    """Due or edited: dbt warns, and does not fail the run."""
    by_hand = Suspension(suspended_since=19 * HOUR)
    for found in (
        left(built, DUE, suspension=by_hand, **config),
        left(built, sql=f"{SELECT} AND a > 1", suspension=by_hand),
    ):
        assert found is not None
        assert (found.message, found.reason.code, found.on_stale) == (
            "SUSPENDED (by hand)",
            "suspended_by_hand",
            "warn",
        )
        assert "(19:00 UTC)" in found.warning and "`dbt-trickle resume m` lifts it." in found.warning
