"""The demo itself, on a shop of a few hundred rows: built, continued by a second run, and exact."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys

import pytest

from tests.demo.test_project import FOLDER, RUN_LEFTOVERS

pytestmark = pytest.mark.spark

TWO_RUNS = """
import demo, sys
sys.exit(demo.main(["--orders", "240", "--days", "1"]) or demo.main(["--days", "2"]))
"""
"""One Python process, so that Spark starts once."""


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> str:
    copy = tmp_path_factory.mktemp("demo") / "shop"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns(*RUN_LEFTOVERS))
    repository = FOLDER.parent
    ended = subprocess.run(
        [sys.executable, "-c", TWO_RUNS],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": f"{repository}:{repository / 'engine'}"},
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout[-3000:] + ended.stderr[-3000:]
    assert ended.stderr == "", "Spark keeps quiet"
    return ended.stdout


def test_every_stream_table_is_exact_at_the_end(printed: str) -> None:
    """Both runs end with `dbt test`, and all of it passes."""
    assert len(re.findall(r"9 stream tables are exact, and \d+ ordinary tests passed", printed)) == 2


def test_the_second_run_goes_on(printed: str) -> None:
    """Nothing is built twice: the second run starts with the day after the first one's last."""
    assert printed.count("Opening:") == 1
    assert "The shop is at the end of day 1" in printed
    assert re.findall(r"^Day (\d+),", printed, re.MULTILINE) == ["1", "2", "3"]


def test_what_the_tables_say(printed: str) -> None:
    """Built with its reason, appended, maintained, left alone: each is seen at least once."""
    actions = set(re.findall(r"^  \w+ +([A-Z_]+) ", printed, re.MULTILINE))

    assert {"FULL", "APPEND", "INCREMENTAL", "NO_DATA"} <= actions
    assert "The table does not exist yet." in " ".join(printed.split()), "wherever it is folded"


def test_lines_fit_the_console(printed: str) -> None:
    """A calm console does not wrap; only the start of Spark may have more to say, such as what it fetches."""
    wide = [line for line in printed.splitlines() if len(line) > 120]

    assert [line for line in wide if "starting Spark" not in line] == []
