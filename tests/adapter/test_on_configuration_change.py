"""What becomes of a change of the model itself: applied, left out with a warning, or refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from dbt_common.exceptions import CompilationError

from tests.adapter.lake import Lake
from tests.adapter.log_builder import metadata
from trickle import Action
from trickle.apply.steps import Cluster, SetProperties

OLD = "SELECT a, b FROM s.r WHERE a > 0"
NEW = "SELECT a FROM s.r WHERE a > 5"
KEEP: dict[str, Any] = {"on_configuration_change": "continue"}


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    """`m`, built as OLD over a base table `r` that has grown since."""
    found = Lake(tmp_path)
    found.analyst.of[NEW] = (("a", "int"),)
    found.table("r")
    found.refresh("m", OLD, "run-1", **KEEP)
    found.append("r")
    return found


def test_continue_goes_on_by_the_old_select(lake: Lake) -> None:
    """The table is refreshed as it stands, dbt warns in its own words, and the response says what was left out."""
    decision = lake.refresh("m", NEW, "run-2", **KEEP)

    assert decision.plan.action in (Action.APPEND, Action.INCREMENTAL)
    assert decision.query == OLD
    assert [column.name for column in decision.facade.columns] == ["a", "b"]
    assert decision.warning.startswith(
        "Configuration changes were identified and `on_configuration_change` was set to `continue` for "
    )
    assert [note.code for note in decision.plan.notes] == ["change_not_applied"]
    assert "The SELECT changed" in decision.warning


def test_continue_leaves_layout_and_settings(lake: Lake) -> None:
    """Partitions, properties, clustering, refresh mode and schedule stay, and each is named in the warning."""
    decision = lake.refresh(
        "m", OLD, "run-2", **KEEP, partition_by="a", tblproperties={"x.y": "1"}, refresh_mode="full", schedule="5m"
    )

    warning = decision.warning
    assert not any(isinstance(step, (SetProperties, Cluster)) for step in decision.plan.steps)
    assert decision.plan.reason.code != "forced_full"
    assert all(word in warning for word in ("`partition_by`", "`x.y`", "`refresh_mode`", "`schedule`"))


def test_continue_is_silent_when_nothing_changed(lake: Lake) -> None:
    """Another comment in the SELECT is no change."""
    decision = lake.refresh("m", f"-- as before\n{OLD}", "run-2", **KEEP)

    assert (decision.warning, decision.not_applied, decision.plan.notes) == ("", None, ())


def test_full_refresh_applies_what_continue_left_out(lake: Lake) -> None:
    """--full-refresh is asked for by hand: it builds what is written."""
    lake.refresh("m", NEW, "run-2", **KEEP)

    decision = lake.refresh("m", NEW, "run-3", full=True, **KEEP)

    assert (decision.query, decision.not_applied) == (NEW, None)
    assert [column.name for column in decision.facade.columns] == ["a"]


def test_continue_rebuilds_by_the_old_model_when_the_rows_are_lost(lake: Lake) -> None:
    """Foreign rows in the storage mean a rebuild, and a rebuild is no reason to apply the change."""
    lake.tables["m__trickle"].append("foreign")

    decision = lake.refresh("m", NEW, "run-2", partition_by="a", **KEEP)

    assert (decision.plan.action, decision.plan.reason.code) == (Action.REINITIALIZE, "storage_changed")
    assert decision.query == OLD
    assert decision.target.table.partition_by == ()


def test_a_change_of_a_source_is_none_of_the_model(lake: Lake) -> None:
    """A source with new columns redefines `SELECT *`: nobody changed the model, so there is nothing to leave out."""
    star = "SELECT * FROM s.r"
    lake.refresh("k", star, "run-1", **KEEP)
    lake.tables["r"].commit("ADD COLUMNS", metadata(fields=(("a", "integer"), ("b", "string"), ("c", "integer"))))
    lake.analyst.of[star] = (("a", "int"), ("b", "string"), ("c", "int"))

    decision = lake.refresh("k", star, "run-2", **KEEP)

    assert (decision.plan.reason.code, decision.not_applied) == ("definition_changed", None)


@pytest.mark.parametrize(
    ("key", "value"), [("schedule", "5m"), ("refresh_mode", "full"), ("full_refresh_threshold", 0.5)]
)
def test_fail_names_the_key(lake: Lake, key: str, value: object) -> None:
    """A changed setting is refused as a changed layout is, under the name the user gave it."""
    with pytest.raises(CompilationError, match=f"`{key}`.*`on_configuration_change: fail` forbids"):
        lake.decide("m", OLD, "run-2", on_configuration_change="fail", **{key: value})


def test_a_changed_schedule_alone_rewrites_nothing(tmp_path: Path) -> None:
    """It is noted among the table's properties by an ALTER, and there is nothing else to do."""
    lake = Lake(tmp_path)
    lake.table("r")
    lake.refresh("m", OLD, "run-1", schedule="5m")

    decision = lake.decide("m", OLD, "run-2", schedule="1h")
    back = lake.decide("m", OLD, "run-2")

    assert decision.plan.action is Action.NO_DATA
    assert decision.target.table.altered_properties == {"trickle.schedule": "1h"}
    assert back.target.table.altered_properties == {"trickle.schedule": ""}
    unchanged = lake.decide("m", OLD, "run-2", schedule="5m").target.table
    assert (unchanged.altered_properties, unchanged.altered_clustering) == ({}, None)
