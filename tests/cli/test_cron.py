"""`dbt-trickle cron`: the lines that make a scheduler tick as often as the project needs."""

from __future__ import annotations

import ast
import re
import shlex
import sys
from pathlib import Path
from zlib import crc32

import pytest

from dbt.adapters.trickle.cli import main
from dbt.adapters.trickle.cli.schedulers import SCHEDULERS, calendar
from tests.adapter.fabricated import FabricatedProject
from tests.cli.nightly import ask, nightly


@pytest.fixture
def project(tmp_path: Path) -> FabricatedProject:
    return nightly(tmp_path)


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
