"""A warehouse the first release wrote goes on as it is: its stamps and fingerprints are read as they were meant."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from dbt.adapters.trickle.cli.verify.case_file import read_cases
from dbt.adapters.trickle.options import read_config
from dbt.adapters.trickle.profile.credentials import TrickleCredentials
from dbt.adapters.trickle.refreshing.decide import read_state
from dbt.adapters.trickle.refreshing.idle import Present, idle
from dbt.adapters.trickle.warehouses.embedded.contract import contract
from dbt.adapters.trickle.warehouses.embedded.restored_settings import of_stamp
from tests.adapter.lake import Lake, Table
from tests.facts import compiled
from trickle import Action
from trickle import Table as Relation
from trickle.catalog.contract import contract_change
from trickle.schedule.due import Due
from trickle.schedule.parse import parse_schedule

HERE = Path(__file__).parent / "upgrade"
RECORDED = json.loads((HERE / "warehouse_0_1_0.json").read_text("utf-8"))
"""Two base tables and five stream tables after two runs of 0.1.0, as files: every Delta log and what lies beside it."""
MODELS: Mapping[str, str] = RECORDED["models"]
CASES = Path(__file__).parents[1] / "cases"
DEFINITIONS = (HERE / "definitions_0_1_0.txt").read_text("utf-8").splitlines()
"""Of every twelfth view of the cases: file, view, fingerprint of its definition by 0.1.0."""
PATCHED = {"spark": "4.2.7", "delta": "4.4.3"}
ESCAPED = "spark.sql.parser.escapedStringLiterals"


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    """The recorded warehouse, opened after an upgrade of Spark and Delta within their minor versions."""
    for path, text in RECORDED["files"].items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    found = Lake(tmp_path)
    found.clock = RECORDED["clock"]
    for folder in (tmp_path / "s").iterdir():
        newest = max(int(one.stem) for one in (folder / "_delta_log").glob("*.json"))
        found.tables[folder.name] = Table(folder, newest, found.clock)
    found.analyst.of[MODELS["groups"]] = (("a", "int"), ("n", "bigint"))
    for name in ("recent", "loaded"):
        found.analyst.of[MODELS[name]] = (("a", "int"), ("b", "timestamp"))
    found.contract = {**contract(TrickleCredentials(schema="s")), "spark": "4.2.7", "delta": "4.4.3"}
    return found


def test_a_warehouse_of_the_first_release_goes_on(lake: Lake) -> None:
    """Appended rows are appended: nothing is built anew by a patch of Spark or Delta, nor by another dbt-trickle."""
    done = {name: lake.refresh(name, MODELS[name], "run-3") for name in ("rows", "groups", "over", "recent")}
    rested = {name: lake.refresh(name, MODELS[name], "run-4").plan.action for name in done}

    actions = [done[name].plan.action for name in done]
    assert actions == [Action.APPEND, Action.INCREMENTAL, Action.APPEND, Action.INCREMENTAL]
    assert set(rested.values()) == {Action.NO_DATA}
    assert lake.stamp("rows").refresh == 3


def test_rows_that_show_another_instant_than_was_recorded_are_built_anew(lake: Lake) -> None:
    """The first release did that to a clock shown over a stream table; once is enough."""
    lake.refresh("rows", MODELS["rows"], "run-3")
    mended = lake.refresh("loaded", MODELS["loaded"], "run-3")
    rested = lake.refresh("loaded", MODELS["loaded"], "run-4")

    assert (mended.plan.action, mended.plan.reason.code) == (Action.REINITIALIZE, "shows_another_instant")
    assert rested.plan.action is Action.NO_DATA


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"ansi": "false"}, "ansi (true → false)"),
        ({"spark": "4.3.0"}, "spark (4.2.0 → 4.3.0)"),
        ({ESCAPED: "true"}, f"{ESCAPED} (not recorded → true)"),
    ],
)
def test_what_an_old_stamp_does_not_vouch_for_is_built_anew(lake: Lake, changed: dict[str, str], what: str) -> None:
    """A setting it could not record may have been another then."""
    lake.contract = {**lake.contract, **changed}
    decision = lake.decide("rows", MODELS["rows"], "run-3")

    assert decision.plan.reason.sentence() == f"{what} changed since the last refresh."
    assert decision.plan.action is Action.REINITIALIZE


def test_an_upgrade_waits_for_its_slot(lake: Lake) -> None:
    """What is not due is left alone after it as before; a change of the contract waits for nothing."""
    every = parse_schedule("1h", "UTC")
    assert not isinstance(every, str)
    for own, left in ((lake.contract, True), ({**lake.contract, "time_zone": "Asia/Tokyo"}, False)):
        config, model = read_config({}), {"unique_id": "model.p.rows", "config": {}, "columns": {}}
        state = read_state(lake.storage("rows"))
        present = Present(model, MODELS["rows"], "rows__trickle", config, own, state, 0.0)
        found = idle(present, every, Due(False, "not_due", 0, 10), 5, "UTC")  # type: ignore[arg-type]
        assert (found is not None) is left


def test_a_check_keeps_to_the_profile_where_an_old_stamp_says_nothing(lake: Lake) -> None:
    """A later stamp says what it does not name: that it was the default."""
    profile = TrickleCredentials(schema="s", time_zone="Asia/Tokyo", server_side_parameters={ESCAPED: True})
    old = of_stamp(profile, lake.stamp("rows"))
    lake.refresh("rows", MODELS["rows"], "run-3")
    new = of_stamp(profile, lake.stamp("rows"))

    assert (old.get(ESCAPED), new.get(ESCAPED)) == ("true", None)
    assert old["spark.sql.session.timeZone"] == new["spark.sql.session.timeZone"] == "UTC"


def test_a_patch_release_is_no_change(lake: Lake) -> None:
    """The stamp keeps the whole version, and only the minor one is compared."""
    stamp = lake.stamp("rows")

    assert contract_change(stamp, {**stamp.contract, **PATCHED}) is None
    assert contract_change(stamp, {**stamp.contract, "delta": "5.4.0"}) == "delta (4.4.0 → 5.4.0)"


@pytest.mark.parametrize("line", DEFINITIONS)
def test_definitions_keep_their_fingerprints(line: str) -> None:
    """Another one would build every table anew that has such a query; then LAYOUT_FORMAT must say so as well."""
    file, view, fingerprint = line.split()
    scenario = next(read_cases(CASES / file))
    relations = {(one.name.lower(),): Relation((one.name,), one.columns) for one in scenario.tables}
    for query in scenario.views:
        view = compiled(query.sql, lambda name: relations.get((name[-1].lower(),)))
        relations[query.name.lower(),] = Relation((query.name,), view.shown.columns)
        if query.name == view:
            assert view.definition == fingerprint
