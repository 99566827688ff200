"""Which tables are storages of ours, and what else uses a storage's name or folder, from hand-written logs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from dbt_common.exceptions import CompilationError

from dbt.adapters.trickle.history.delta_files import DeltaLog
from dbt.adapters.trickle.ports import CatalogEntry
from dbt.adapters.trickle.project.nodes import Node
from dbt.adapters.trickle.relation import TrickleRelation
from dbt.adapters.trickle.storages.clash import refuse_clash
from dbt.adapters.trickle.storages.facade_state import fault, shows
from dbt.adapters.trickle.storages.location import LONGEST_NAME, occupant, refuse_long_name, registered_at
from dbt.adapters.trickle.storages.ownership import Mark, mark_of
from dbt.adapters.trickle.storages.table_properties import FACADE, QUERY, STORAGE_OF
from tests.adapter.log_builder import LogBuilder, metadata
from trickle import Column, Frontier, Stamp

KEY = ("s", "m__trickle")
STAMP = Stamp("model.p.m", 1, "FULL", "first_build", "create", "d", {}, Frontier({}), 0, "0.1", {}).to_json()


def table(folder: Path, *definitions: dict[str, Any], operation: str = "CREATE TABLE", **info: Any) -> LogBuilder:
    built = LogBuilder(folder / "s" / "m__trickle")
    for definition in definitions or (metadata(),):
        built.commit(operation, definition, **info)
    return built


def mark(folder: Path) -> Mark:
    return mark_of(DeltaLog(folder / "s" / "m__trickle"), KEY)


def test_a_storage_names_itself(tmp_path: Path) -> None:
    """Only its own name counts."""
    table(tmp_path / "own", metadata(**{STORAGE_OF: "s.m__trickle"}))
    table(tmp_path / "copied", metadata(**{STORAGE_OF: "s.x__trickle", QUERY: "select 1"}), userMetadata=STAMP)

    assert mark(tmp_path / "own") is Mark.OURS
    assert mark(tmp_path / "copied") is Mark.FOREIGN


def test_storages_before_names_are_known_by_stamp_and_select(tmp_path: Path) -> None:
    """Both were written by 0.1.0; a clone copies properties and no stamps, and belongs to whoever made it."""
    table(tmp_path / "stamped", userMetadata=STAMP)
    table(tmp_path / "cleaned", metadata(**{QUERY: "select 1", FACADE: "f"}))
    table(tmp_path / "cloned", metadata(**{QUERY: "select 1", FACADE: "f"}), operation="CLONE")
    table(tmp_path / "alien")

    marks = [mark(tmp_path / name) for name in ("stamped", "cleaned", "cloned", "alien", "nothing")]

    assert marks == [Mark.OURS, Mark.OURS, Mark.FOREIGN, Mark.FOREIGN, Mark.NONE]


@pytest.mark.parametrize("cut", [40, 150])
def test_a_damaged_log_is_read_in_pieces(tmp_path: Path, cut: int) -> None:
    """Any readable line may have the mark; a log without one has no owner."""
    for name, definition in (("ours", metadata(**{STORAGE_OF: "s.m__trickle"})), ("alien", metadata())):
        built = table(tmp_path / name, definition).append("a")
        last = built.log / f"{built.version:020d}.json"
        last.write_text(last.read_text()[:cut])
        (built.log / f"{0:020d}.crc").unlink(missing_ok=True)
    lost = table(tmp_path / "lost")
    (lost.log / f"{0:020d}.json").write_text("{")

    assert mark(tmp_path / "ours") is Mark.OURS
    assert mark(tmp_path / "alien") is Mark.FOREIGN
    assert mark(tmp_path / "lost") is Mark.NONE


def seen(kind: str, provider: str = "delta", place: Path | None = None) -> TrickleRelation:
    information = f"Type: {kind}\nLocation: file:{place}\n"
    made = TrickleRelation.create(
        schema="s", identifier="m__trickle", type="view" if kind == "VIEW" else "table", information=information
    )
    return made.incorporate(is_delta=provider == "delta" and kind != "VIEW")


@pytest.mark.parametrize("folder", ["pct%20x", "a b", "x[1]", "Mix"])
def test_a_location_is_read_from_the_catalog(folder: str) -> None:
    """Nothing in it is decoded: a wrong folder would lead to a rebuild at every run."""
    assert registered_at(seen("EXTERNAL", place=Path("/data") / folder)) == Path("/data") / folder


def test_what_is_in_the_way(tmp_path: Path) -> None:
    """A view, another format, a foreign table here or elsewhere, and files: each is named. Nothing and ours are not."""
    here, there, files = tmp_path / "s" / "m__trickle", tmp_path / "there", tmp_path / "files"
    LogBuilder(there).create()
    files.mkdir()
    (files / "notes.txt").write_text("mine")
    empty = tmp_path / "empty"
    empty.mkdir()

    def found(relation: TrickleRelation | None, folder: Path, points: bool = False) -> str:
        return occupant(KEY, relation, folder, lambda: points)

    assert found(seen("VIEW"), here) == "a view"
    assert found(seen("MANAGED", "parquet"), here) == "a table that is not a Delta table"
    assert str(there) in found(seen("EXTERNAL", place=there), here)
    assert str(there) in found(None, there)
    assert "files in it" in found(None, files)
    assert [found(None, here), found(None, empty), found(None, files, points=True)] == ["", "", ""]
    table(tmp_path, metadata(**{STORAGE_OF: "s.m__trickle"}))
    assert found(seen("MANAGED", place=here), here) == ""


def test_a_first_build_that_was_cut_off_is_in_nobodys_way(tmp_path: Path) -> None:
    """Data files without a commit, in the warehouse's own folder and under no name: elsewhere they may be a user's."""
    (tmp_path / "_delta_log" / "_staged_commits").mkdir(parents=True)
    for name in ("part-00000-0a-c000.snappy.parquet", ".part-00000-0a-c000.snappy.parquet.crc"):
        (tmp_path / name).write_bytes(b"left over")

    def found(relation: TrickleRelation | None, managed: bool) -> str:
        return occupant(KEY, relation, tmp_path, lambda: False, managed)

    assert found(None, managed=True) == ""
    assert "files in it" in found(None, managed=False)
    assert "not a Delta table" in found(seen("MANAGED", "parquet"), managed=True)
    (tmp_path / "mine.csv").write_text("1")
    assert "files in it" in found(None, managed=True)


def node(name: str, materialized: str = "stream_table", kind: str = "model", schema: str = "s", **config: Any) -> Node:
    return Node(f"{kind}.p.{schema}.{name}", kind, name, schema, name, materialized, config)


@pytest.mark.parametrize(
    "other",
    [
        node("M__TRICKLE", "table"),
        node("m__trickle", "stream_table"),
        node("m__trickle", "seed", "seed"),
        node("m__trickle", "snapshot", "snapshot"),
    ],
)
def test_two_nodes_with_one_name_are_both_refused(other: Node) -> None:
    """Whichever runs; the sentence has both."""
    both = {one.id: one for one in (node("m"), other)}
    for one in both.values():
        with pytest.raises(CompilationError) as refused:
            refuse_clash(one, both)
        assert "model m (s.m)" in refused.value.msg
        assert other.name in refused.value.msg


def test_one_folder_for_two_storages_is_refused() -> None:
    """Schemas differ, the folder does not."""
    one, other = node("m", location_root="/data"), node("m", schema="t", location_root="file:/data/")
    with pytest.raises(CompilationError, match="/data/m__trickle"):
        refuse_clash(one, {one.id: one, other.id: other})


def test_names_that_do_not_clash_are_allowed() -> None:
    """Another schema, a source, an ephemeral model, and a plain model next to a table of that name."""
    table_ = node("m")
    for other in (
        node("m__trickle", "table", schema="t"),
        node("m__trickle", "source", "source"),
        node("m__trickle", "ephemeral"),
    ):
        refuse_clash(table_, {table_.id: table_, other.id: other})
    plain, beside = node("m", "view"), node("m__trickle", "table")
    refuse_clash(plain, {plain.id: plain, beside.id: beside})


def test_a_name_may_be_as_long_as_a_folder_allows() -> None:
    """Bytes count, not characters."""
    refuse_long_name(TrickleRelation.create(schema="s", identifier="a" * LONGEST_NAME))
    for name in ("a" * 300, "ä" * 200):
        with pytest.raises(CompilationError, match="shorter `alias`"):
            refuse_long_name(TrickleRelation.create(schema="s", identifier=name))


def view(text: str, marks: str) -> CatalogEntry:
    return CatalogEntry((Column("a", "int"),), {"Type": "VIEW", "View Text": text, "Table Properties": f"[{marks}]"})


def test_an_altered_facade_is_found() -> None:
    """Our view is known by its mark, and by the fingerprint of its text if it has one."""
    ours = "k=v, trickle.storage=`S`.m__trickle"
    assert fault(view("select 1", ours), KEY) == ""
    assert shows(view("select 1", ours), KEY)
    assert fault(view("select 1", f"{ours}, trickle.text=other"), KEY) == "its text was altered"
    assert fault(view("select 1", "trickle.storage=s.other__trickle"), KEY) == "there is another view under its name"
    assert fault(view("select 1", "k=v"), KEY) == "there is another view under its name"
    assert fault(CatalogEntry((), {"Type": "MANAGED"}), KEY) == "there is a table under its name"
    assert fault(None, KEY) == "it is gone"


def test_the_stamp_is_as_it_is_written() -> None:
    """The text above is that of a commit."""
    assert json.loads(STAMP)["node"] == "model.p.m"
