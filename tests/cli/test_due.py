"""`dbt-trickle due` and `cron`: from a manifest and logs, with an exit code for the shell."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from dbt.adapters.trickle.layout import ERRORS, STATUS
from tests.adapter.fabricated import FIELDS, FabricatedProject
from tests.adapter.log_builder import metadata
from trickle.cli import main
from trickle.cli.schedulers import SCHEDULERS, calendar


@pytest.fixture
def project(tmp_path: Path) -> FabricatedProject:
    """A nightly table over a calculated one, through a view, and a table that was never built."""
    made = FabricatedProject(tmp_path)
    made.source("s")
    made.model("orders", "stream_table", ("s",))
    made.model("recent", "view", ("orders",))
    made.model("totals", "stream_table", ("recent",), schedule="@daily")
    made.refresh("orders", tick=instant("2026-11-19T00:00:03"))
    made.refresh("totals", tick=instant("2026-11-19T00:00:03"))
    made.save()
    return made


def instant(text: str) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=timezone.utc).timestamp() * 1000)


def ask(made: FabricatedProject, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    command, *rest = words
    code = main([command, *rest, "--project-dir", str(made.folder), "--profiles-dir", str(made.folder)])
    return code, capsys.readouterr().out


def tables(made: FabricatedProject, capsys: pytest.CaptureFixture[str], at: str) -> dict[str, dict[str, Any]]:
    _, text = ask(made, capsys, "due", "--format", "json", "--at", at)
    return {one["node"].rpartition(".")[2]: one for one in json.loads(text)["tables"]}


def test_nothing_is_due_before_the_slot(project: FabricatedProject, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 3, and each table says when it is next."""
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


def test_what_was_never_built_is_due(project: FabricatedProject, capsys: pytest.CaptureFixture[str]) -> None:
    """And makes due what it reads."""
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


def test_what_failed_too_often_is_not_due(project: FabricatedProject, capsys: pytest.CaptureFixture[str]) -> None:
    """It says how often, and needs nothing any more."""
    counted = {ERRORS: "3", STATUS: "suspended"}
    project.logs["totals"].commit("SET TBLPROPERTIES", metadata(fields=FIELDS, table_id="totals", **counted))
    found = tables(project, capsys, "2026-11-20T00:00")

    assert (found["totals"]["due"], found["totals"]["why"]) == (False, "suspended")
    assert "3 refreshes in a row failed" in ask(project, capsys, "due", "--at", "2026-11-20T00:00")[1]


def test_due_imports_neither_dbt_nor_spark(project: FabricatedProject) -> None:
    """It must be cheap enough to be asked every minute."""
    place = ["--project-dir", str(project.folder), "--profiles-dir", str(project.folder)]
    program = (
        "import sys; from trickle.cli import main; code = main(['due', *sys.argv[1:]]); "
        "heavy = {'dbt.cli', 'dbt.adapters.spark', 'pyspark', 'py4j', 'agate'}; "
        "print(sorted(heavy & set(sys.modules))); sys.exit(code)"
    )
    ran = subprocess.run([sys.executable, "-c", program, *place], capture_output=True, text=True)

    assert ran.returncode in (0, 3), ran.stderr
    assert ran.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("wrong", ["soon", "2026-13-01"])
def test_a_wrong_instant_is_refused(project: FabricatedProject, capsys: pytest.CaptureFixture[str], wrong: str) -> None:
    """In a sentence, with exit code 2."""
    place = ["--project-dir", str(project.folder), "--profiles-dir", str(project.folder)]

    assert main(["due", "--at", wrong, *place]) == 2
    assert "write an instant such as 2026-11-19T12:05" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("scheduler", "told"),
    [
        ("crontab", "0 0 * * * cd {folder} && flock -n /tmp/dbt-p.lock dbt run >> /tmp/dbt-p.log 2>&1"),
        ("systemd", "OnCalendar=*-*-* 00:00:00 UTC"),
        ("airflow", 'schedule="0 0 * * *",'),
        ("dagster", 'cron_schedule="0 0 * * *"'),
        ("github", '    - cron: "0 0 * * *"'),
    ],
)
def test_a_scheduler_is_told_what_fits(
    project: FabricatedProject, capsys: pytest.CaptureFixture[str], scheduler: str, told: str
) -> None:
    """In its own words, with the reason first."""
    code, text = ask(project, capsys, "cron", "--for", scheduler)

    assert code == 0
    assert text.startswith("# The tightest schedule of the project is calculated: 0 0 * * * (orders).\n")
    assert told.format(folder=project.folder) in text.splitlines() or told in text


@pytest.mark.parametrize("scheduler", ["airflow", "dagster"])
def test_snippets_of_python_are_python(
    project: FabricatedProject, capsys: pytest.CaptureFixture[str], scheduler: str
) -> None:
    """With one schedule and with several."""
    compile(ask(project, capsys, "cron", "--for", scheduler)[1], scheduler, "exec")
    project.model("often", "stream_table", ("s",), schedule="7 * * * *")
    project.save()
    several = ask(project, capsys, "cron", "--for", scheduler)[1]

    compile(several, scheduler, "exec")
    assert '"0 0 * * *", "7 * * * *"' in several


def test_every_scheduler_is_documented() -> None:
    """docs/schedules.md names what `--for` takes."""
    page = (Path(__file__).parents[2] / "docs" / "schedules.md").read_text("utf-8")

    assert not [name for name in SCHEDULERS if f"`{name}`" not in page and f"--for {name}" not in page]


@pytest.mark.parametrize(
    ("tick", "expected"),
    [
        ("*/5 * * * *", "*-*-* *:00/5:00 UTC"),
        ("0 */2 * * *", "*-*-* 00/2:00:00 UTC"),
        ("7-59/10 3 1 * *", "*-*-01 03:07..59/10:00 UTC"),
        ("30 9 * * MON-FRI", "Mon..Fri *-*-* 09:30:00 UTC"),
        ("0 0 * 1,7 0", "Sun *-01,07-* 00:00:00 UTC"),
        ("0 0 1 * 1", "*-*-* 00:00:00 UTC"),
    ],
)
def test_calendar_events_of_systemd(tick: str, expected: str) -> None:
    """As `systemd-analyze calendar` reads them."""
    assert calendar(tick) == expected
