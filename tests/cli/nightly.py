"""A project with a nightly table, made without Spark, and what the command line says of it."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from dbt.adapters.trickle.cli import main
from tests.adapter.fabricated import FabricatedProject


def nightly(tmp_path: Path) -> FabricatedProject:
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
