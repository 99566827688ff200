"""Savings by literal conditions: files and bytes read by a refresh of a join over a clustered table, with and without.

python benchmarks/reading_less.py [--rows 2000000] [--files 32] [--rounds 3]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.approaches import StreamTable
from benchmarks.cells import Cell
from benchmarks.meter import Meter
from benchmarks.sources import Sources
from benchmarks.workspace import SCHEMA, Workspace
from trickle.delta import bound_scans

ORDERS = f"{SCHEMA}.orders_clustered"
CUSTOMERS = f"{SCHEMA}.customers_clustered"
QUERY = (
    f"select o.id, o.amount, c.name, c.segment from {ORDERS} o join {CUSTOMERS} c on o.customer = c.customer "
    "where o.amount < 20"
)
NEVER = -1.0
"""A share that no table falls below, so that no literal condition is written."""


@dataclass(frozen=True)
class Read:
    """The files and bytes that the scans of the orders read in one refresh."""

    files: int
    megabytes: float


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--files", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory", default="3g")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="trickle-bench-") as folder:
        workspace = Workspace(Path(folder), options.memory)
        try:
            _make(workspace, options.rows, options.files)
            results = [_round(workspace, number) for number in range(options.rounds + 1)][1:]
        finally:
            workspace.close()
    for result in results:
        print(json.dumps(result))
    return 0


def _make(workspace: Workspace, rows: int, files: int) -> None:
    """Create orders sorted by customer, a hundred each, and customers sorted by number."""
    feed = "tblproperties ('delta.enableChangeDataFeed' = 'true')"
    note = "concat('order ', id, ' ', sha2(cast(id as string), 256)) as note"
    order = f"id, id div 100 as customer, cast(pmod(xxhash64(id), 10000) / 100 as decimal(10,2)) as amount, {note}"
    workspace.rows(
        f"create table {ORDERS} using delta {feed} as "
        f"select /*+ repartition_by_range({files}, customer) */ {order} from range({rows})"
    )
    workspace.rows(
        f"create table {CUSTOMERS} using delta {feed} as select id as customer, concat('customer ', id) as name, "
        f"concat('segment ', id % 4) as segment from range(0, {rows // 100}, 1, 8)"
    )


def _round(workspace: Workspace, number: int) -> dict[str, Any]:
    """Rename a customer and refresh two tables, one with literal conditions and one without."""
    workspace.rows(f"update {CUSTOMERS} set name = 'renamed {number}' where customer = {number + 17}")
    record: dict[str, Any] = {"round": number}
    for name in ("with", "without") if number % 2 else ("without", "with"):
        table = _table(workspace, name)
        with _literals(name == "with"), Meter(workspace.java).measure() as reading:
            since = _last_execution(workspace)
            outcome = table.refresh()
        read = _read_since(workspace, since)
        record[name] = {
            "strategy": outcome.strategy,
            "files": read.files,
            "megabytes": round(read.megabytes, 1),
            "wall": round(reading.spent.wall, 2),
            "cpu": round(reading.spent.cpu, 2),
        }
    return record


_TABLES: dict[str, StreamTable] = {}


def _table(workspace: Workspace, name: str) -> StreamTable:
    if name not in _TABLES:
        cell = Cell("reading_less", lambda _: QUERY, ("id",), lambda *_: "")
        _TABLES[name] = StreamTable(workspace, Sources(0), cell, name, "incremental")
    return _TABLES[name]


@contextmanager
def _literals(enabled: bool) -> Iterator[None]:
    worth = bound_scans.WORTH
    bound_scans.WORTH = worth if enabled else NEVER
    try:
        yield
    finally:
        bound_scans.WORTH = worth


def _store(workspace: Workspace) -> Any:
    return workspace.session.spark._jsparkSession.sharedState().statusStore()  # noqa: SLF001 - Spark's own metrics


def _last_execution(workspace: Workspace) -> int:
    done = _store(workspace).executionsList()
    return int(done.last().executionId()) if done.nonEmpty() else -1


def _read_since(workspace: Workspace, since: int) -> Read:
    """The sums of Spark's metrics over the scans of the orders."""
    store, files, size = _store(workspace), 0, 0.0
    done = store.executionsList()
    for index in range(done.size()):
        number = int(done.apply(index).executionId())
        if number <= since:
            continue
        values = store.executionMetrics(number)
        nodes = store.planGraph(number).allNodes()
        for index in range(nodes.size()):
            node = nodes.apply(index)
            if "orders_clustered" not in node.name():
                continue
            for position in range(node.metrics().size()):
                metric = node.metrics().apply(position)
                value = values.get(metric.accumulatorId())
                if value.isEmpty():
                    continue
                if metric.name() == "number of files read":
                    files += int(str(value.get()).replace(",", ""))
                elif metric.name() == "size of files read":
                    size += _megabytes(str(value.get()))
    return Read(files, size)


def _megabytes(text: str) -> float:
    """Spark writes sizes for people: '12.3 MiB', perhaps behind a heading line."""
    number, unit = text.strip().splitlines()[-1].split("(")[0].split()[:2]
    return float(number.replace(",", "")) * {"B": 1e-6, "KiB": 1 / 1024, "MiB": 1.0, "GiB": 1024.0}[unit]


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
