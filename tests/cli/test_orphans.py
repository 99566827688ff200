"""Storages of removed models are found from logs, and those of other projects are not listed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dbt.adapters.trickle.cli import main
from dbt.adapters.trickle.storages.table_properties import STORAGE_OF
from tests.adapter.fabricated import FIELDS, FabricatedProject
from tests.adapter.log_builder import LogBuilder, metadata


@pytest.fixture
def left(tmp_path: Path) -> FabricatedProject:
    """A project with an existing model, and tables of several others in its schema."""
    made = FabricatedProject(tmp_path)
    made.source("s")
    for name in ("stands", "gone", "theirs"):
        made.model(name, "stream_table", ("s",))
        made.refresh(name)
    del made.nodes["model.p.gone"], made.nodes["model.p.theirs"]
    theirs = made.logs["theirs"].log / f"{0:020d}.json"
    theirs.write_text(theirs.read_text().replace("model.p.theirs", "model.q.theirs"))
    LogBuilder(tmp_path / "warehouse/data/shop.db/users_own__trickle").create().append("a")
    LogBuilder(tmp_path / "warehouse/data/other.db/gone__trickle").create()
    made.save()
    return made


def status(made: FabricatedProject, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["status", *words, *made.place]) == 0
    return capsys.readouterr().out


def test_orphans_of_this_project_are_listed(left: FabricatedProject, capsys: pytest.CaptureFixture[str]) -> None:
    """Below the table, with the command that removes them; other projects' and users' tables are not."""
    shown = " ".join(status(left, capsys).split())
    told = json.loads(status(left, capsys, "--format", "json"))["orphans"]

    assert told == [{"relation": "shop.gone", "storage": "gone__trickle", "node": "model.p.gone"}]
    assert "Orphans, which `dbt-trickle drop-orphans` removes shop.gone" in shown
    assert "theirs" not in shown


def test_any_node_of_the_name_claims_it(left: FabricatedProject, capsys: pytest.CaptureFixture[str]) -> None:
    """The model became a plain table: its next run drops the storage itself."""
    left.model("gone", "table", ("s",))
    left.save()

    assert json.loads(status(left, capsys, "--format", "json"))["orphans"] == []


def test_orphans_below_a_location_root(left: FabricatedProject, capsys: pytest.CaptureFixture[str]) -> None:
    """There the schema is read from the storage's properties."""
    root = left.folder / "placed"
    left.model("placed", "stream_table", ("s",), location_root=str(root))
    stamp = (left.logs["gone"].log / f"{0:020d}.json").read_text().splitlines()[0]
    made = LogBuilder(root / "once__trickle")
    made.commit(
        "CREATE OR REPLACE TABLE AS SELECT",
        metadata(fields=FIELDS, **{STORAGE_OF: "shop.once__trickle"}),
        userMetadata=json.loads(stamp)["commitInfo"]["userMetadata"],
    )
    left.save()

    assert [one["relation"] for one in json.loads(status(left, capsys, "--format", "json"))["orphans"]] == [
        "shop.gone",
        "shop.once",
    ]


def test_a_storage_changed_by_others_is_not_fresh(left: FabricatedProject, capsys: pytest.CaptureFixture[str]) -> None:
    """Rows of another writer and missing files: the state says so, and that the next run rebuilds the table."""

    def told() -> tuple[str, str]:
        (one,) = json.loads(status(left, capsys, "--format", "json"))["tables"]
        return one["state"], one["detail"]

    assert told()[0] == "fresh"
    left.logs["stands"].commit("UPDATE", left.logs["stands"].add("u"))
    assert told() == (
        "changed",
        "Version 1 of the storage is a UPDATE by another writer: the next run rebuilds the table.",
    )
    left.logs["stands"].vacuum("part-0.parquet")
    state, detail = told()
    assert state == "broken"
    assert "part-0.parquet is gone: the next run rebuilds the table." in detail
