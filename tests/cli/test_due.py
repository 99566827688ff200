"""`dbt-trickle due` and `cron`: from a manifest and logs, with an exit code for the shell."""

from __future__ import annotations

import ast
import json
import re
import shlex
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from dbt.adapters.trickle.cli import main
from dbt.adapters.trickle.cli.schedulers import SCHEDULERS, calendar
from dbt.adapters.trickle.scheduling.memory import FAILED_AFTER
from dbt.adapters.trickle.storages.table_properties import ERRORS, STATUS
from tests.adapter.fabricated import FIELDS, FabricatedProject
from tests.adapter.log_builder import metadata


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
    code = main([command, *rest, *made.place])
    return code, capsys.readouterr().out


def tables(made: FabricatedProject, capsys: pytest.CaptureFixture[str], at: str) -> dict[str, dict[str, Any]]:
    _, text = ask(made, capsys, "due", "--format", "json", "--at", at)
    return {one["node"].rpartition(".")[2]: one for one in json.loads(text)["tables"]}


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


def test_cron_counts_with_the_run_times_that_were_measured(
    project: FabricatedProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the start of the run; a table's first build is no measure of its refreshes."""
    project.model("slow", "stream_table", ("s",), schedule="10m")
    project.refresh("slow", tick=project.clock - 3_600_000)
    project.save()
    building = ask(project, capsys, "cron")[1]
    project.refresh("slow", tick=project.clock - 270_000)
    project.save()
    measured = ask(project, capsys, "cron")[1]

    assert "A tick every 2m meets it: runs count as 30s until some were measured." in building
    assert "A tick every 1m meets it: runs take up to 4m3" in measured


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


@pytest.mark.parametrize(
    ("scheduler", "told"),
    [
        (
            "crontab",
            "0 0 * * * cd {folder} && flock -n /tmp/dbt-p-{crc:08x}.lock {dbt} run --project-dir {folder} "
            "--profiles-dir {folder} >> /tmp/dbt-p-{crc:08x}.log 2>&1",
        ),
        ("systemd", "ExecStart={dbt} run --project-dir {folder} --profiles-dir {folder}"),
        ("systemd", "WorkingDirectory={folder}"),
        ("github", "          clean: false"),
        ("github", "          .venv/bin/dbt run --project-dir . --profiles-dir ."),
        ("systemd", "OnCalendar=*-*-* 00:00:00 UTC"),
        ("airflow", 'schedule="0 0 * * *",'),
        ("dagster", 'cron_schedule="0 0 * * *"'),
        ("github", '    - cron: "0 0 * * *"'),
    ],
)
def test_a_scheduler_gets_a_snippet(
    project: FabricatedProject, capsys: pytest.CaptureFixture[str], scheduler: str, told: str
) -> None:
    """In its own format, after a comment with the reason."""
    code, text = ask(project, capsys, "cron", "--for", scheduler)

    assert code == 0
    assert text.startswith("# The tightest schedule of the project is calculated: 0 0 * * * (orders).\n")
    dbt = Path(sys.executable).parent / "dbt"
    expected = told.format(folder=project.folder, dbt=dbt, crc=crc32(str(project.folder).encode()))
    assert expected in text.splitlines() or expected in text


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


@pytest.fixture
def awkward(tmp_path: Path) -> FabricatedProject:
    """A project in a folder whose name has special characters of every format."""
    made = FabricatedProject(tmp_path / "my 100% 'shop' {{x}} $HOME")
    made.folder.mkdir()
    made.source("s")
    made.model("orders", "stream_table", ("s",), schedule={"every": "1d"})
    made.save()
    return made


def test_a_crontab_line_means_the_folder_it_names(
    awkward: FabricatedProject, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cron reads \\% as % and passes the rest to a shell, which gets the original words."""
    monkeypatch.setenv("JAVA_HOME", "/opt/my java")
    text = ask(awkward, capsys, "cron")[1]
    line = text.splitlines()[-1].removeprefix("0 0 * * * ")
    words = shlex.split(line.replace("\\%", "%"))

    assert "%" not in line.replace("\\%", "")
    assert words[:3] == ["cd", str(awkward.folder), "&&"]
    assert words[words.index("--project-dir") + 1] == words[words.index("--profiles-dir") + 1] == str(awkward.folder)
    assert Path(words[words.index("run") - 1]).is_absolute()
    assert "JAVA_HOME=/opt/my java" in text.splitlines()


def test_systemd_reads_the_folder_literally(
    awkward: FabricatedProject, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Its specifiers and variables are doubled, words with blanks are quoted."""
    lines = dict(
        line.split("=", 1) for line in ask(awkward, capsys, "cron", "--for", "systemd")[1].splitlines() if "=" in line
    )
    words = shlex.split(lines["ExecStart"].replace("%%", "%").replace("$$", "$"))

    assert words[-1] == words[-3] == str(awkward.folder)
    assert lines["WorkingDirectory"].replace("%%", "%") == str(awkward.folder)
    assert not re.search(r"(?<!%)%(%%)*(?!%)", lines["ExecStart"])


def test_python_snippets_name_the_folder_literally(
    awkward: FabricatedProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """Airflow renders the text as a template, in which braces are escaped."""
    for scheduler in ("airflow", "dagster"):
        found = [one.value for one in ast.walk(ast.parse(ask(awkward, capsys, "cron", "--for", scheduler)[1]))
                 if isinstance(one, ast.Constant)]  # fmt: skip
        assert str(awkward.folder) in found
        commands = [one for one in found if isinstance(one, str) and "--profiles-dir" in one]
        if scheduler == "airflow":
            assert commands[0].startswith("{% raw %}") and commands[0].endswith("{% endraw %}")


def test_another_command_is_run_by_a_shell(project: FabricatedProject, capsys: pytest.CaptureFixture[str]) -> None:
    """Only dbt's own commands get a path and folders; given options are not repeated."""
    own = ask(project, capsys, "cron", "--command", "make refresh && echo done")[1]
    said = ask(project, capsys, "cron", "--command", "dbt build --project-dir /elsewhere --select tag:fast")[1]

    assert "/bin/sh -c 'make refresh && echo done' >> /tmp/" in own
    assert (
        said.count("--project-dir") == 1
        and "dbt build --project-dir /elsewhere --select tag:fast --profiles-dir" in said
    )


def test_a_target_that_cron_cannot_meet_is_reported(
    project: FabricatedProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """By `cron` and by `due`, with the smallest target that can be met with the measured run times."""
    project.model("fast", "stream_table", ("s",), schedule="1m")
    project.save()
    main(["cron", "--for", "github", *project.place])
    github = capsys.readouterr()
    main(["due", *project.place])
    due = capsys.readouterr()

    assert "fast: a target lag of 1m cannot be kept by cron, because a refresh is taken to last 30s" in due.err
    assert "the smallest that can is 2m." in due.err
    assert "# fast: a target lag of 1m cannot be kept by github" in github.out
    assert '- cron: "*/5 * * * *"' in github.out
    assert "target lag 1m: Never older than 1m: refreshed at least every 24s" in due.out


def test_every_scheduler_is_documented() -> None:
    """docs/schedules.md names every value of `--for`."""
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
