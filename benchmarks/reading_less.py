"""What literal conditions save: files and bytes read by a refresh of a join over a clustered table, with and without.

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

from benchmarks.cells import Cell
from benchmarks.meter import Meter
from benchmarks.place import SCHEMA, Place
from benchmarks.sources import Sources
from benchmarks.ways import StreamTable
from trickle.delta import bound_scans

ORDERS = f"{SCHEMA}.orders_clustered"
CUSTOMERS = f"{SCHEMA}.customers_clustered"
QUERY = (
    f"select o.id, o.amount, c.name, c.segment from {ORDERS} o join {CUSTOMERS} c on o.customer = c.customer "
    "where o.amount < 20"
)
NEVER = -1.0
"""A share no table can fall below: no literal is worth writing then."""


@dataclass(frozen=True)
class Read:
    """What the scans of the orders read in one refresh."""

    files: int
    megabytes: float


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--files", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory", default="3g")
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="trickle-bench-") as folder:
        place = Place(Path(folder), asked.memory)
        try:
            _make(place, asked.rows, asked.files)
            found = [_round(place, number) for number in range(asked.rounds + 1)][1:]
        finally:
            place.close()
    for one in found:
        print(json.dumps(one))
    return 0


def _make(place: Place, rows: int, files: int) -> None:
    """Orders in the order of their customers, a hundred each; customers in the order of their numbers."""
    feed = "tblproperties ('delta.enableChangeDataFeed' = 'true')"
    note = "concat('order ', id, ' ', sha2(cast(id as string), 256)) as note"
    order = f"id, id div 100 as customer, cast(pmod(xxhash64(id), 10000) / 100 as decimal(10,2)) as amount, {note}"
    place.rows(
        f"create table {ORDERS} using delta {feed} as "
        f"select /*+ repartition_by_range({files}, customer) */ {order} from range({rows})"
    )
    place.rows(
        f"create table {CUSTOMERS} using delta {feed} as select id as customer, concat('customer ', id) as name, "
        f"concat('segment ', id % 4) as segment from range(0, {rows // 100}, 1, 8)"
    )


def _round(place: Place, number: int) -> dict[str, Any]:
    """A customer changes its name; both tables follow, the one with literals and the other without."""
    place.rows(f"update {CUSTOMERS} set name = 'renamed {number}' where customer = {number + 17}")
    answer: dict[str, Any] = {"round": number}
    for name in ("with", "without") if number % 2 else ("without", "with"):
        table = _table(place, name)
        with _literals(name == "with"), Meter(place.java).measure() as reading:
            since = _last_execution(place)
            outcome = table.refresh()
        read = _read_since(place, since)
        answer[name] = {
            "strategy": outcome.strategy,
            "files": read.files,
            "megabytes": round(read.megabytes, 1),
            "wall": round(reading.spent.wall, 2),
            "cpu": round(reading.spent.cpu, 2),
        }
    return answer


_TABLES: dict[str, StreamTable] = {}


def _table(place: Place, name: str) -> StreamTable:
    if name not in _TABLES:
        cell = Cell("reading_less", lambda _: QUERY, ("id",), lambda *_: "")
        _TABLES[name] = StreamTable(place, Sources(0), cell, name, "incremental")
    return _TABLES[name]


@contextmanager
def _literals(wanted: bool) -> Iterator[None]:
    worth = bound_scans.WORTH
    bound_scans.WORTH = worth if wanted else NEVER
    try:
        yield
    finally:
        bound_scans.WORTH = worth


def _store(place: Place) -> Any:
    return place.session.spark._jsparkSession.sharedState().statusStore()  # noqa: SLF001 - Spark's own metrics


def _last_execution(place: Place) -> int:
    done = _store(place).executionsList()
    return int(done.last().executionId()) if done.nonEmpty() else -1


def _read_since(place: Place, since: int) -> Read:
    """The sums of Spark's metrics over the scans of the orders."""
    store, files, size = _store(place), 0, 0.0
    done = store.executionsList()
    for place_in_list in range(done.size()):
        number = int(done.apply(place_in_list).executionId())
        if number <= since:
            continue
        values = store.executionMetrics(number)
        nodes = store.planGraph(number).allNodes()
        for index in range(nodes.size()):
            node = nodes.apply(index)
            if "orders_clustered" not in node.name():
                continue
            for at in range(node.metrics().size()):
                metric = node.metrics().apply(at)
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
