"""Status and history from logs: rows, bytes, hidden share, refreshes, and unread changes."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from dbt.adapters.trickle.history.delta_files import DeltaLog, last_stamp
from dbt.adapters.trickle.history.delta_files.files import files_at
from dbt.adapters.trickle.monitoring.counts import RowCounts
from dbt.adapters.trickle.monitoring.footer import NotParquet, column_bytes
from dbt.adapters.trickle.monitoring.refreshes import FOREIGN, refreshes
from dbt.adapters.trickle.monitoring.staleness import Staleness, UnreadChanges
from dbt.adapters.trickle.monitoring.stored_size import StoredSize, stored_size_at
from dbt.adapters.trickle.storages.stamp_fields import BECAUSE, UNVERSIONED
from tests.adapter.fabricated import COUNT, FabricatedProject, chain, parquet
from tests.adapter.log_builder import LogBuilder, remove


@pytest.fixture
def project(tmp_path: Path) -> FabricatedProject:
    """t reads the view v of the source s; u reads t."""
    return chain(tmp_path, "t", "u")


def log(project: FabricatedProject, name: str) -> DeltaLog:
    return DeltaLog(project.logs[name].path)


def behind(project: FabricatedProject, name: str) -> UnreadChanges:
    stamped = last_stamp(log(project, name))
    assert stamped is not None
    return Staleness(project.loaded().source_log).of(stamped)


def test_a_footer_has_the_bytes_of_each_column(tmp_path: Path) -> None:
    """The same numbers as DuckDB's, nested columns under the name of the outermost."""
    file = tmp_path / "f.parquet"
    rows = "range AS k, repeat('x', range % 40) AS v, {'a': range, 'b': [range]} AS nested, range % 2 = 0 AS odd"
    duckdb.sql(f"COPY (SELECT {rows} FROM range(5000)) TO '{file}' (FORMAT parquet, ROW_GROUP_SIZE 2048)")
    told = duckdb.sql(
        "SELECT split_part(path_in_schema, ', ', 1) AS name, sum(total_compressed_size)::BIGINT "
        f"FROM parquet_metadata('{file}') GROUP BY name"
    ).fetchall()

    assert column_bytes(file) == dict(told)


@pytest.mark.parametrize("content", [b"", b"PAR1", b"x" * 40, b"PAR1" + b"\xff" * 20 + b"\x10\0\0\0PAR1"])
def test_another_file_is_not_parquet(tmp_path: Path, content: bytes) -> None:
    """Empty, truncated, or of another format."""
    file = tmp_path / "f.parquet"
    file.write_bytes(content)

    with pytest.raises(NotParquet):
        column_bytes(file)


def test_rows_bytes_and_hidden_share(project: FabricatedProject) -> None:
    """Every stored row is shown once here, so the log tells how many rows users see; the share is the footer's."""
    held = stored_size_at(log(project, "t"), 0)
    file = project.logs["t"].path / "part-0.parquet"
    sizes = column_bytes(file)

    share = sizes[COUNT] / sum(sizes.values())
    assert held == StoredSize(100, 100, file.stat().st_size, 1, share)
    assert 0 < share < 1


def test_rows_that_are_shown_more_than_once_are_not_counted(tmp_path: Path) -> None:
    """Where counts differ from one only Spark could say how many rows users see."""
    builder = LogBuilder(tmp_path / "m__trickle").create()
    size = parquet(builder.path / "f")
    stats = f'{{"numRecords": 100, "minValues": {{"{COUNT}": 1}}, "maxValues": {{"{COUNT}": 3}}}}'
    add = {"path": "f", "size": size, "partitionValues": {}, "modificationTime": 1, "dataChange": True, "stats": stats}
    builder.commit("WRITE", {"add": add})

    held = stored_size_at(DeltaLog(builder.path), 1)

    assert (held.stored_rows, held.shown_rows) == (100, None)


def test_a_checksum_file_and_a_replay_tell_the_same(project: FabricatedProject) -> None:
    """Delta writes the list of files beside most commits; where it did not, the log is replayed."""
    replayed = files_at(log(project, "t"), 0, COUNT)
    project.logs["t"].checksum(files=True)

    assert files_at(log(project, "t"), 0, COUNT) == replayed


def test_history_has_rows_seconds_and_versions(project: FabricatedProject) -> None:
    """Newest first; from which version of each source to which; seconds from the beginning to the commit."""
    project.write("s")
    project.refresh("t", rows=7)

    newest, first = refreshes(log(project, "t"))

    assert (first.action, first.reason, first.strategy, first.sentence) == (
        "FULL", "first_build", "create", "The table does not exist yet.",
    )  # fmt: skip
    assert (first.rows, newest.rows) == (RowCounts(100, 0, 0), RowCounts(7, 0, 0))
    assert [(step.source, step.before, step.after) for step in newest.sources] == [("raw.s", 1, 2)]
    assert [(step.source, step.before, step.after) for step in first.sources] == [("raw.s", None, 1)]
    assert (newest.number, newest.version) == (2, 1)
    assert newest.seconds is not None and 0 < newest.seconds < 60


def test_history_stops_where_it_is_told_to(project: FabricatedProject) -> None:
    """The newest ones, and the oldest of them still knows from where it went."""
    for _ in range(4):
        project.write("s")
        project.refresh("t")

    found = refreshes(log(project, "t"), 2)

    assert [one.number for one in found] == [5, 4]
    assert (found[-1].sources[0].before, found[-1].sources[0].after) == (3, 4)


def test_an_overwrite_counts_what_went(project: FabricatedProject) -> None:
    """Delta does not say how many rows an overwrite removed; the commits that wrote them do."""
    builder = project.logs["t"]
    stamp = project.refresh("t", rows=5)
    metrics = {"numOutputRows": "3"}
    gone = [remove("part-0.parquet", rows=None), remove("part-1.parquet", rows=None)]
    builder.commit("WRITE", builder.add("new", 3), *gone, userMetadata=stamp.to_json(), operationMetrics=metrics)

    assert refreshes(log(project, "t"))[0].rows == RowCounts(3, 0, 105)


def test_what_others_wrote_is_in_the_history(project: FabricatedProject) -> None:
    """A commit that changed rows and is not ours; maintenance is not told."""
    builder = project.logs["t"]
    builder.commit("OPTIMIZE", builder.add("compact", 1, data_change=False))
    builder.commit("DELETE", remove("part-0.parquet", rows=100))

    foreign, ours = refreshes(log(project, "t"))

    assert (foreign.action, foreign.version, ours.version) == (FOREIGN, 2, 0)
    assert "DELETE that is not ours" in foreign.sentence


def test_a_table_is_behind_since_the_first_unread_change(project: FabricatedProject) -> None:
    """Not since its last refresh: a table whose sources rest is not behind."""
    project.clock += 3_600_000
    assert behind(project, "t").lag(project.clock) == 0

    project.write("s")
    since = project.clock
    project.write("s")

    assert behind(project, "t") == UnreadChanges(since, "raw.s")
    assert behind(project, "t").lag(project.clock) == project.clock - since


def test_a_table_is_as_old_as_what_it_reads(project: FabricatedProject) -> None:
    """u has read all of t, and t has not read all of s; later t has, and u has not."""
    project.write("s")
    since = project.clock
    assert behind(project, "u") == UnreadChanges(since, "raw.s")

    project.refresh("t")

    assert behind(project, "t") == UnreadChanges()
    assert behind(project, "u") == UnreadChanges(project.clock, "shop.t")


def test_maintenance_makes_nobody_late(project: FabricatedProject) -> None:
    """OPTIMIZE and properties change no row."""
    source = project.logs["s"]
    source.commit("OPTIMIZE", source.add("compact", 1, data_change=False))

    assert behind(project, "t") == UnreadChanges()


def test_a_source_that_was_made_anew_is_unread(project: FabricatedProject) -> None:
    """Its versions begin again, or its commits bear other times."""
    folder = project.logs["s"].path
    for file in (folder / "_delta_log").iterdir():
        file.unlink()
    again = LogBuilder(folder, clock=project.clock + 5_000).create(table_id="other").append("x").append("y")

    assert behind(project, "t").since == again.clock - 2_000


def test_a_log_that_was_cleaned_is_unread_from_its_rest(project: FabricatedProject) -> None:
    """The first change is gone from the log: it came before the first commit that is left."""
    project.write("s")
    project.write("s")
    project.logs["s"].clean(2)

    assert behind(project, "t").since == project.clock


def test_what_cannot_be_judged_is_named(project: FabricatedProject) -> None:
    """A source without versions, a source only Spark could find, and the clock."""
    project.refresh("t", **{UNVERSIONED: ["raw.csv"]})
    assert behind(project, "t") == UnreadChanges(unknown=("raw.csv",))
    assert behind(project, "t").lag(project.clock) is None
    assert not behind(project, "t").fresh

    project.refresh("t", **{BECAUSE: {"clock_function": "CURRENT_DATE"}})
    assert behind(project, "t").since == project.clock

    project.logs["s"].path.rename(project.folder / "elsewhere")
    project.refresh("u")
    assert behind(project, "u").unknown == ("raw.s",)
