"""Damaged files of a table: a convenience is passed over, everything else is named before Spark starts."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

import pytest

from dbt.adapters.trickle.history.delta_files import DeltaLog, LogUnreadable, probe
from dbt.adapters.trickle.history.delta_files.checksum import checksum_of
from dbt.adapters.trickle.history.delta_files.damage import damage
from dbt.adapters.trickle.history.delta_files.snapshot import clustering_at, files_at, metadata_at, protocol_at, size_at
from dbt.adapters.trickle.history.delta_files.vectors import vector_of
from dbt.adapters.trickle.storages.unreadable import unreadable
from tests.adapter.log_builder import LogBuilder, remove
from tests.adapter.probed import kind
from trickle import SourcePosition
from trickle.catalog.happened import Unchanged

GARBAGE = (
    b"",
    b"{",
    b"[1]",
    b'"text"',
    b"null",
    b"\xff\xfe\x00",
    b'{"metadata": 1}',
    b'{"metadata": {"id": "x", "schemaString": "{}"}}',
    b'{"allFiles": 7}',
    b'{"allFiles": [{"size": 1}]}',
    b'{"allFiles": [{"path": "f1", "stats": "{"}]}',
    b'{"protocol": []}',
    b'{"domainMetadata": [1]}',
)


@pytest.fixture
def table(tmp_path: Path) -> LogBuilder:
    return LogBuilder(tmp_path / "t").create().append("f1", rows=10)


@pytest.mark.parametrize("content", GARBAGE)
def test_an_unreadable_checksum_file_is_ignored(table: LogBuilder, content: bytes) -> None:
    """Its content is found elsewhere in the log."""
    log = DeltaLog(table.path)
    for version in log.versions:
        Path(log.checksum_file(version)).write_bytes(content)

    assert checksum_of(log, 1) is None
    assert metadata_at(log, 1).id == "one"
    assert protocol_at(log, 1) == (1, frozenset())
    assert clustering_at(log, 1) is None
    assert kind(probe(log, "s.t", SourcePosition("one", 1, table.clock))) is Unchanged


def test_a_checksum_file_that_is_a_folder_is_ignored(table: LogBuilder) -> None:
    """It is not needed."""
    log = DeltaLog(table.path)
    Path(log.checksum_file(1)).mkdir()

    assert checksum_of(log, 1) is None


def test_a_checksum_file_is_enough(table: LogBuilder) -> None:
    """Definition, files and clustering, without opening any other file."""
    table.checksum(clustering=("a",), files=True)
    log = DeltaLog(table.path)

    assert (size_at(log, 1).rows, list(files_at(log, 1)), clustering_at(log, 1)) == (10, ["f1"], ("a",))


def test_nothing_is_wrong_with_a_whole_table(table: LogBuilder) -> None:
    """With a checkpoint and without one."""
    assert damage(DeltaLog(table.path)) == ""
    table.checkpoint()
    table.append("f2")
    for version in (0, 1):
        table.clean(version)
    assert damage(DeltaLog(table.path)) == ""


@pytest.mark.parametrize("content", [b"", b"garbage", b"PAR1", b"PAR1 cut off", b"PAR1PAR1"])
def test_a_damaged_checkpoint_is_named(table: LogBuilder, content: bytes) -> None:
    """Spark opens it whatever came after it."""
    table.checkpoint(content)
    table.append("f2")

    assert damage(DeltaLog(table.path)).startswith(
        f"the checkpoint {table.log}/00000000000000000001.checkpoint.parquet"
    )


def test_an_older_checkpoint_is_not_opened(table: LogBuilder) -> None:
    """The newest one has everything."""
    table.checkpoint(b"garbage")
    table.append("f2").checkpoint()

    assert damage(DeltaLog(table.path)) == ""


def test_a_missing_commit_is_named(table: LogBuilder) -> None:
    """No reader can know its changes."""
    table.append("f2").append("f3").clean(2)

    assert damage(DeltaLog(table.path)) == f"the commit {table.log}/00000000000000000002.json is missing"


@pytest.mark.parametrize("checksum", [False, True])
def test_a_missing_data_file_is_named(table: LogBuilder, checksum: bool) -> None:
    """By the checksum file, or by the commits since the last checkpoint."""
    table.append("f2")
    if checksum:
        table.checksum(files=True)
    table.vacuum("f1")

    assert damage(DeltaLog(table.path)) == f"the data file {table.path}/f1 is missing"


def test_files_that_were_removed_are_not_missed(table: LogBuilder) -> None:
    """VACUUM does so."""
    table.commit("DELETE", remove("f1", 10), table.add("f2"))
    table.vacuum("f1")

    assert damage(DeltaLog(table.path)) == ""


def test_files_of_other_tables_are_not_checked(table: LogBuilder) -> None:
    """A clone names the files of another table, on any file system."""
    table.commit("CLONE", {"add": {"path": "s3://bucket/a%20b.parquet", "size": 1, "dataChange": True}})

    assert damage(DeltaLog(table.path)) == ""


def test_a_damaged_table_has_not_rested(table: LogBuilder) -> None:
    """No answer is given of it, though its newest version is the one that was read."""
    here = SourcePosition("one", table.version, table.clock)
    table.vacuum("f1")

    with pytest.raises(LogUnreadable, match=r"the data file .*/f1 is missing"):
        probe(DeltaLog(table.path), "s.t", here)


def test_files_of_older_versions_are_not_checked(table: LogBuilder) -> None:
    """They are not read if nothing changed."""
    here = SourcePosition("one", table.version, table.clock)
    table.commit("DELETE", remove("f1", 10), table.add("f2"))
    table.vacuum("f1")

    assert kind(probe(DeltaLog(table.path, here.version), "s.t", here)) is Unchanged


def test_a_commit_cut_off_is_named(table: LogBuilder) -> None:
    """With what is wrong with it."""
    log = DeltaLog(table.path)
    damaged = Path(log.commit_file(1))
    damaged.write_bytes(damaged.read_bytes()[:120])

    with pytest.raises(LogUnreadable, match=r"the commit .*/0{19}1\.json is damaged \(JSONDecodeError") as found:
        log.commit(1)
    assert found.value.table == table.path


def test_the_sentence_says_who_can_repair_it(tmp_path: Path) -> None:
    """We rebuild our own table; a source is repaired by its owner."""
    own = DeltaLog(tmp_path / "m__trickle")
    wrong = {name: LogUnreadable(f"{name} is damaged", tmp_path / name) for name in ("m__trickle", "up__trickle", "t")}

    assert unreadable(wrong["m__trickle"], own) == "m__trickle is damaged: run with --full-refresh."
    assert unreadable(wrong["up__trickle"], own) == (
        "The stream table up, which this model reads, is damaged: up__trickle is damaged. Run it with --full-refresh."
    )
    assert "--full-refresh" not in unreadable(wrong["t"], own)


def test_the_file_of_a_deletion_vector() -> None:
    """As Delta's protocol writes it: a random folder, then a UUID in Base85."""
    uuid = UUID("d2c639aa-8816-431a-aaf6-d3fe2512ff61")
    encoded = "^-aqEH.-t@S}K{vb[*k^"
    name = f"deletion_vector_{uuid}.bin"

    assert vector_of({"storageType": "u", "pathOrInlineDv": encoded}).path == name
    assert vector_of({"storageType": "u", "pathOrInlineDv": f"ab{encoded}"}).path == f"ab/{name}"
    assert vector_of({"storageType": "p", "pathOrInlineDv": "s3://b/v.bin"}).path == "s3://b/v.bin"
    assert vector_of({"storageType": "i", "pathOrInlineDv": "0rr91"}).path == ""
    assert vector_of({}).path == ""
