"""A run and `dbt-trickle status` name the same reasons for a query that is recomputed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dbt.adapters.trickle.history.delta_files import last_stamp
from dbt.adapters.trickle.monitoring.status import FRESH, TableStatus
from dbt.adapters.trickle.project.nodes import Node
from tests.adapter.lake import Lake
from tests.adapter.log_builder import metadata, remove
from trickle import Action

CHANCE = "SELECT UUID() AS a, CAST(RAND() AS STRING) AS b FROM s.r"
NODE = Node("model.p.m", "model", "m", "s", "m", "stream_table")


def append(lake: Lake) -> None:
    lake.append("r")


def update(lake: Lake) -> None:
    lake.update("r")


def replace(lake: Lake) -> None:
    lake.replace("r")


def update_without_feed(lake: Lake) -> None:
    table = lake.tables["r"]
    table.commit("SET TBLPROPERTIES", metadata(feed=False))
    table.commit("UPDATE", remove("f1"), table.add("u"))


def vacuum(lake: Lake) -> None:
    lake.update("r")
    lake.tables["r"].vacuum("f1")


@pytest.mark.parametrize("happens", [append, update, replace, update_without_feed, vacuum])
def test_whatever_happens_to_its_sources(tmp_path: Path, happens: Callable[[Lake], None]) -> None:
    """A query that reads no changes misses none, and no feed is asked for that would not be read."""
    lake = Lake(tmp_path)
    lake.table("r")
    lake.refresh("m", CHANCE, "run-1")
    happens(lake)
    plan = lake.refresh("m", CHANCE, "run-2").plan
    because = TableStatus(NODE, FRESH, stamped=last_stamp(lake.storage("m"))).because

    assert (plan.action, plan.reason.code) == (Action.FULL, "recompute")
    assert list(because) == ["volatile_function"]
    assert plan.reason.message.endswith(because["volatile_function"])
    assert "uuid()" in because["volatile_function"], "each of two reasons of one kind is kept"
    assert "rand()" in because["volatile_function"]
