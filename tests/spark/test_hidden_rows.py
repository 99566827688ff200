"""What is read of a table by its files is what Delta reads of it: at every version, and between any two."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from dbt.adapters.trickle.history.delta_files import DeltaLog
from dbt.adapters.trickle.history.delta_files.probe import probe
from dbt.adapters.trickle.history.delta_files.readable_files import readable_files
from dbt.adapters.trickle.profile.credentials import TrickleCredentials
from dbt.adapters.trickle.warehouses.embedded.session import EmbeddedSession
from tests.spark.dbt_project import Project
from trickle import SourcePosition
from trickle.catalog.source_files import DataFiles

pytestmark = pytest.mark.spark

CREATED = (
    "create table {s}.t (k bigint, `a-b` decimal(12,2), c string, d date) using delta "
    "tblproperties ('delta.enableDeletionVectors' = 'true', 'delta.enableChangeDataFeed' = 'true')"
)
ROWS = (
    "id, cast(id / 7 as decimal(12,2)), if(id % 11 = 0, null, concat('c', id % 5)), "
    "date'2020-01-01' + cast(id % 400 as int)"
)
COMMITS = (
    f"insert into {{s}}.t select /*+ repartition(2) */ {ROWS} from range(4000)",
    "delete from {s}.t where k between 100 and 180",
    "delete from {s}.t where pmod(xxhash64(k), 9) = 0",
    f"insert into {{s}}.t select {ROWS} from range(5000, 5100)",
    "update {s}.t set `a-b` = `a-b` + 1, c = 'new' where pmod(xxhash64(k), 13) = 1",
    "delete from {s}.t where k = 777 or k = 778",
    "merge into {s}.t using (select id from range(3990, 4010)) s on t.k = s.id "
    "when matched and id % 2 = 0 then delete when matched then update set c = null "
    "when not matched then insert (k, `a-b`, c, d) values (id, 0, 'm', null)",
    "restore table {s}.t to version as of 3",
    "optimize {s}.t",
    "delete from {s}.t where k % 2 = 0",
    "insert overwrite {s}.t select * from {s}.t where k % 3 <> 0",
    "delete from {s}.t where c is null",
)


def test_files_hold_what_delta_reads(shop: Project) -> None:
    """Deletions here and there and in a row, updates, merges, RESTORE, compaction and an overwrite."""
    session = EmbeddedSession(TrickleCredentials(schema=shop.schema, warehouse=str(shop.warehouse)), print)
    session.run(CREATED.format(s=shop.schema))
    for commit in COMMITS:
        session.run(commit.format(s=shop.schema))
    (location,) = (session.rows(f"describe detail {shop.schema}.t")[0].location,)
    log = DeltaLog(Path(str(location).removeprefix("file:")))
    by_position = changes = 0
    assert log.latest == len(COMMITS)

    for before, now in pairs(log.latest):
        seen = log.at(now)
        files = readable_files(seen, probe(seen, "t", SourcePosition("", before, seen.commit(before).committed_at)))
        for version, read in ((now, files.now), (before, files.before)):
            if read is not None:
                by_position += len(read.parts)
                assert differing(session, read, f"select *, 1 from {shop.schema}.t version as of {version}") == 0
        if files.change is not None:
            changes += len(files.change.parts) + len(files.change.feed)
            feed = f"table_changes('{shop.schema}.t', {before + 1}, {now})"
            weight = "if(_change_type in ('insert', 'update_postimage'), 1, -1)"
            assert differing(session, files.change, f"select k, `a-b`, c, d, {weight} from {feed}") == 0, (before, now)
    assert by_position > 20 and changes > 40, (by_position, changes)
    session.close()


def pairs(last: int) -> list[tuple[int, int]]:
    """Versions next to each other, some commits apart, and from each to the last."""
    every = combinations(range(1, last + 1), 2)
    return [(before, now) for before, now in every if now - before in (1, 3) or now == last]


def differing(session: EmbeddedSession, files: DataFiles, expected: str) -> int:
    """Rows whose weights, added up, are others than they should be."""
    session.name_files("read", files)
    read = "select * from read" if files.signed else "select *, 1 from read"
    both = f"{read} union all select k, `a-b`, c, d, -w from ({expected}) as e(k, `a-b`, c, d, w)"
    summed = f"select 1 from ({both}) as u(k, `a-b`, c, d, w) group by k, `a-b`, c, d having sum(w) <> 0"
    rows = len(session.rows(summed))
    session.forget("read")
    return rows
