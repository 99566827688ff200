"""Commands that need no warehouse do not start one: dbt works on a machine without Java until a statement runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROFILE = "shop:\n  target: dev\n  outputs:\n    dev:\n      type: trickle\n      schema: shop\n"
PROJECT = "name: shop\nversion: '1.0'\nprofile: shop\nflags:\n  send_anonymous_usage_stats: false\n"


def dbt(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run dbt where no Java can be found."""
    environment = {**os.environ, "PATH": "/nowhere", "JAVA_HOME": ""}
    command = [sys.executable, "-c", "from dbt.cli.main import cli; cli()", *arguments]
    return subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "one.sql").write_text("select 1 as x", "utf-8")
    (tmp_path / "dbt_project.yml").write_text(PROJECT, "utf-8")
    (tmp_path / "profiles.yml").write_text(PROFILE, "utf-8")
    return tmp_path


@pytest.mark.parametrize("command", ["parse", "ls"])
def test_reading_a_project_needs_no_java(project: Path, command: str) -> None:
    """Parsing and listing never open the warehouse, nor even make its folder."""
    done = dbt(project, command)

    assert done.returncode == 0, done.stdout
    assert not (project / "warehouse").exists()


def test_running_without_java_is_one_sentence(project: Path) -> None:
    """The console shows what is missing, and no trace of Python or Java."""
    done = dbt(project, "run")

    assert done.returncode == 2
    assert "Spark needs Java and none was found: install Java 17 or 21" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
