"""`dbt-trickle due`, `suspend` and `resume`: from a manifest and logs, with an exit code for the shell."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dbt.adapters.trickle.cli import main
from dbt.adapters.trickle.scheduling.memory import FAILED_AFTER
from dbt.adapters.trickle.storages.table_properties import ERRORS, STATUS
from tests.adapter.fabricated import FIELDS, FabricatedProject
from tests.adapter.log_builder import metadata
from tests.cli.nightly import ask, instant, nightly, tables


@pytest.fixture
def project(tmp_path: Path) -> FabricatedProject:
    return nightly(tmp_path)


def test_nothing_is_due_before_the_slot(project: FabricatedProject, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 3, and each table has its next slot."""
    code, text = ask(project, capsys, "due", "--at", "2026-11-19T12:00")

    assert code == 3
    assert "p: 0 of 2 due at 2026-11-19 12:00 UTC" in text
    line = r"^shop\.totals +no +its slot is taken +0 0 \* \* \* +00:00:03 +2026-11-20 00:00 +no$"
    assert re.search(line, text, re.M), text


def test_at_the_slot_all_are_due(project: FabricatedProject, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 0; a calculated schedule is named as such."""
    code, _ = ask(project, capsys, "due", "--at", "2026-11-20T00:00")
    found = tables(project, capsys, "2026-11-19T23:59:55")

    assert code == 0
    assert [(one["due"], one["why"]) for one in found.values()] == [(True, "slot"), (True, "slot")]
    assert found["orders"]["schedule"] == "calculated: 0 0 * * *"
    assert found["totals"]["last_run"] == "2026-11-19T00:00:03.000+00:00"
    assert found["totals"]["next_slot"] == "2026-11-21T00:00:00.000+00:00"


def test_a_table_that_was_never_built_is_due(project: FabricatedProject, capsys: pytest.CaptureFixture[str]) -> None:
    """And its sources are needed."""
    project.model("new", "stream_table", ("orders",), schedule="1d")
    project.save()
    found = tables(project, capsys, "2026-11-19T01:00")

    assert {name: (one["why"], one["needed_by"]) for name, one in found.items()} == {
        "new": ("never_refreshed", None),
        "orders": ("needed", "model.p.new"),
        "totals": ("not_due", None),
    }


def test_staleness_is_judged_against_the_target(project: FabricatedProject, capsys: pytest.CaptureFixture[str]) -> None:
    """From the first change that was not read, through the tables between."""
    project.write("s")
    changed = project.clock
    late = tables(project, capsys, "2099-01-01T12:00")["totals"]

    assert late["stale_since"] is not None and late["late"]
    assert late["staleness"] == (instant("2099-01-01T12:00:00") - changed) / 1000
    assert late["target"] == 24 * 3600
    assert "over 1d" in ask(project, capsys, "due", "--at", "2099-01-01T12:00")[1]


def test_a_table_that_failed_too_often_is_not_due(
    project: FabricatedProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """The reason has the number of failures, and its sources are not needed."""
    counted = {ERRORS: "3", STATUS: "suspended"}
    project.logs["totals"].commit("SET TBLPROPERTIES", metadata(fields=FIELDS, table_id="totals", **counted))
    found = tables(project, capsys, "2026-11-20T00:00")

    assert (found["totals"]["due"], found["totals"]["why"]) == (False, "suspended")
    assert "3 refreshes in a row failed" in ask(project, capsys, "due", "--at", "2026-11-20T00:00")[1]


def test_a_table_that_failed_too_often_is_resumed(
    project: FabricatedProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without Spark; a table that was not suspended is reported as such."""
    counted = {ERRORS: "3", STATUS: "suspended", FAILED_AFTER: "1"}
    project.logs["totals"].commit("SET TBLPROPERTIES", metadata(fields=FIELDS, table_id="totals", **counted))
    before = state(project, capsys, "totals")
    _, text = ask(project, capsys, "resume", "totals", "shop.orders")
    found = tables(project, capsys, "2026-11-20T00:00")["totals"]

    assert "an edit of the model's SELECT, repaired data with --vars '{trickle_force: true}'" in before["detail"]
    assert text.splitlines() == [
        "totals is resumed, and its 3 failures in a row are forgiven: the next run that finds it due refreshes it.",
        "orders was not suspended.",
    ]
    assert (found["due"], found["errors_in_a_row"], state(project, capsys, "totals")["state"]) == (True, 0, "fresh")


def state(project: FabricatedProject, capsys: pytest.CaptureFixture[str], table: str) -> dict[str, Any]:
    """A table in the output of `dbt-trickle status`."""
    told = json.loads(ask(project, capsys, "status", "--format", "json")[1])["tables"]
    return next(one for one in told if one["name"] == table)


def test_a_table_is_suspended_by_hand(project: FabricatedProject, capsys: pytest.CaptureFixture[str]) -> None:
    """It is not due, its sources are not needed, and `due` and `status` show it until it is resumed."""
    said = [ask(project, capsys, "suspend", "totals")[1] for _ in range(2)]
    found = tables(project, capsys, "2026-11-20T00:00")
    shown = state(project, capsys, "totals")
    resumed = ask(project, capsys, "resume", "totals")[1]

    assert said == [
        "totals is suspended: its rows stay as they are until `dbt-trickle resume totals`.\n",
        "totals is suspended already.\n",
    ]
    assert (found["totals"]["due"], found["totals"]["why"]) == (False, "suspended_by_hand")
    assert found["totals"]["sentence"] == "it was suspended by hand"
    assert (shown["state"], shown["suspended"]) == ("suspended", True)
    assert shown["detail"].startswith("By hand, since ") and "`dbt-trickle resume totals` lifts it." in shown["detail"]
    assert resumed.startswith("totals is resumed:")
    assert tables(project, capsys, "2026-11-20T00:00")["totals"]["due"]


@pytest.mark.parametrize("command", ["suspend", "resume"])
def test_nothing_is_suspended_when_a_name_is_wrong(
    project: FabricatedProject, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    """The nearest name is in the complaint."""
    assert main([command, "orders", "totls", *project.place]) == 2
    assert "There is no stream table totls" in (complaint := capsys.readouterr().err) and "totals" in complaint
    assert not (project.folder / "warehouse" / "rulings").exists()


def test_due_and_status_explain_schedules(project: FabricatedProject, capsys: pytest.CaptureFixture[str]) -> None:
    """A target lag and a fixed interval, as a sentence each."""
    project.model("lag", "stream_table", ("s",), schedule={"target_lag": "1h"})
    project.model("hourly", "stream_table", ("s",), schedule={"every": "1h"})
    project.save()
    due = ask(project, capsys, "due", "--at", "2026-11-19T12:20")[1]
    status = ask(project, capsys, "status")[1]
    record = tables(project, capsys, "2026-11-19T12:20")["lag"]

    promise = (
        "target lag 1h: Never older than 1h: refreshed at least every 26m, which leaves 34m for the wait for a run"
    )
    assert promise in due and promise in status
    assert "every 1h: One refresh every 1h of the clock and no more: at 13:00, 14:00, 15:00 and so on." in due
    assert record["schedule_in_words"].startswith("Never older than 1h")


def test_due_imports_neither_dbt_nor_spark(project: FabricatedProject) -> None:
    """It must be cheap enough to be asked every minute."""
    program = (
        "import sys; from dbt.adapters.trickle.cli import main; code = main(['due', *sys.argv[1:]]); "
        "heavy = {'dbt.cli', 'dbt.adapters.spark', 'pyspark', 'py4j', 'agate'}; "
        "print(sorted(heavy & set(sys.modules))); sys.exit(code)"
    )
    ran = subprocess.run([sys.executable, "-c", program, *project.place], capture_output=True, text=True)

    assert ran.returncode in (0, 3), ran.stderr
    assert ran.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("wrong", ["soon", "2026-13-01"])
def test_a_wrong_instant_is_refused(project: FabricatedProject, capsys: pytest.CaptureFixture[str], wrong: str) -> None:
    """In a sentence, with exit code 2."""
    assert main(["due", "--at", wrong, *project.place]) == 2
    assert "write an instant such as 2026-11-19T12:05" in capsys.readouterr().err
