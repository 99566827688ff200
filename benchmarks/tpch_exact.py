"""TPC-H under refresh functions: after every round of changes each stream table must be its query, row for row.

python benchmarks/tpch_exact.py DIR [--scale 0.01] [--rounds 10] [--only q01 …]

DIR holds one query a file; `tpchgen-cli` (pip install tpchgen-cli) makes the tables. One line of JSON a refresh; exit
code 1 when any differs.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.cells import Cell
from benchmarks.place import SCHEMA, Place
from benchmarks.sources import Sources
from benchmarks.ways import StreamTable
from dbt.adapters.trickle.catalog.answers import Answers, answered
from dbt.adapters.trickle.catalog.source_catalog import storage_name
from dbt.adapters.trickle.history.delta_files import last_stamp
from trickle import Facts, Target, compile_view, exact_check, output_schema
from trickle.planning.instants import as_of

TABLES = ("region", "nation", "part", "supplier", "partsupp", "customer", "orders", "lineitem")
NEW = 10_000_000
"""New orders have the keys of those they are copied from, and so many more a round: their dates lie everywhere."""


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("queries", type=Path)
    parser.add_argument("--scale", default="0.01")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--memory", default="2g")
    asked = parser.parse_args(arguments)
    files = [file for file in sorted(asked.queries.glob("q*.sql")) if not asked.only or file.stem in asked.only]
    verdicts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="trickle-tpch-") as folder:
        place = Place(Path(folder), asked.memory, None, {"spark.sql.shuffle.partitions": "2"})
        try:
            _load(place, Path(folder) / "parquet", asked.scale)
            every = {file.stem: _stream_table(place, file.stem, file.read_text("utf-8")) for file in files}
            for number in range(asked.rounds + 1):
                for statement in changes(number) if number else ():
                    place.rows(statement)
                for name, table in every.items():
                    told = _refreshed(place, name, table)
                    verdicts[told["verdict"]] += 1
                    print(json.dumps({"round": number, "query": name, **told}), flush=True)
        finally:
            place.close()
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items())))
    return 0 if set(verdicts) == {"exact"} else 1


def _load(place: Place, folder: Path, scale: str) -> None:
    subprocess.run(["tpchgen-cli", "parquet", "-s", scale, f"--output-dir={folder}"], check=True, capture_output=True)
    place.rows(f"use {SCHEMA}")
    for name in TABLES:
        place.rows(
            f"create table {name} using delta tblproperties ('delta.enableChangeDataFeed' = 'true') "
            f"as select * from parquet.`{folder / name}.parquet`"
        )


def _stream_table(place: Place, name: str, text: str) -> StreamTable:
    cell = Cell(name, lambda _: text, (), lambda *_: "")
    return StreamTable(place, Sources(0), cell, "table", "incremental")


def _refreshed(place: Place, name: str, table: StreamTable) -> dict[str, Any]:
    started = time.monotonic()
    outcome = table.refresh()
    taken = time.monotonic() - started
    wrong = list(place.rows(_check(place, table)))
    answer = {"action": outcome.action, "strategy": outcome.strategy, "seconds": round(taken, 1)}
    return {**answer, "verdict": "mismatched" if wrong else "exact", "differences": [str(row) for row in wrong[:3]]}


def _check(place: Place, table: StreamTable) -> str:
    columns = output_schema(place.analyst.schema_of(table.sql))
    answers = Answers(place.describe_sources().resolve)
    view, _ = answered(partial(compile_view, table.sql), answers, Facts(output=columns))
    storage = storage_name(table.identifier)
    stamped = last_stamp(place.log(storage))
    assert stamped is not None
    target = Target((SCHEMA, table.identifier), (SCHEMA, storage), exists=True)
    return exact_check(view, target, as_of(stamped.stamp))


def changes(number: int) -> Iterator[str]:
    """RF1, RF2 and RF3 of a round: a thousandth of the orders each, and updates that cross every predicate."""
    yield from _new_orders(number)
    yield from _gone_orders(number)
    yield from _updates(number)
    if number > 1:
        yield from _returned_orders(number)


def _chosen(key: str, number: int, salt: int, parts: int = 1, of: int = 1000) -> str:
    return f"pmod(xxhash64({key}, {number}, {salt}), {of}) < {parts}"


def _new_orders(number: int) -> Iterator[str]:
    for table, key in (("orders", "o_orderkey"), ("lineitem", "l_orderkey")):
        old = f"{key} < {NEW} and {_chosen(key, number, 1)}"
        yield f"insert into {table} select {key} + {NEW * number} as {key}, * except ({key}) from {table} where {old}"


def _gone_orders(number: int) -> Iterator[str]:
    """Both sides of the join in one interval."""
    for table, key in (("orders", "o_orderkey"), ("lineitem", "l_orderkey")):
        yield f"delete from {table} where {_chosen(key, number, 2)}"


def _returned_orders(number: int) -> Iterator[str]:
    """What the round before took away comes back under its own keys."""
    for table, key in (("orders", "o_orderkey"), ("lineitem", "l_orderkey")):
        was = f"select * from {table} version as of 0 where {_chosen(key, number - 1, 2)}"
        yield f"insert into {table} select w.* from ({was}) w left anti join {table} t on t.{key} = w.{key}"


def _updates(number: int) -> Iterator[str]:
    def one(table: str, key: str, salt: int, assignments: str, parts: int = 5) -> str:
        return f"update {table} set {assignments} where {_chosen(key, number, salt, parts)}"

    segment = (
        "element_at(array('BUILDING', 'MACHINERY', 'AUTOMOBILE', 'FURNITURE', null), cast(1 + c_custkey % 5 as int))"
    )
    yield one("customer", "c_custkey", 3, f"c_mktsegment = {segment}, c_acctbal = -c_acctbal")
    kind = "p_type = 'ECONOMY ANODIZED STEEL', p_brand = 'Brand#23', p_container = 'MED BOX', p_size = 15 + p_size % 3"
    yield one("part", "p_partkey", 4, kind)
    yield one("part", "p_partkey", 5, "p_type = 'PROMO BRUSHED BRASS', p_name = concat('forest green ', p_name)")
    nation = "s_nationkey = pmod(s_nationkey + 7, 25), s_comment = 'Customer slow Complaints'"
    yield one("supplier", "s_suppkey", 6, nation, parts=30)
    yield one("partsupp", "ps_partkey", 7, "ps_supplycost = ps_supplycost + 1, ps_availqty = ps_availqty + 300")
    moved = f"l_shipdate = add_months(l_shipdate, {number} - 5), l_receiptdate = l_commitdate + 1 * interval '1' day"
    yield one("lineitem", "l_orderkey", 8, f"l_discount = 0.06, l_returnflag = 'R', {moved}")
    yield one("lineitem", "l_orderkey", 9, "l_extendedprice = null, l_shipmode = 'MAIL', l_quantity = l_quantity + 40")
    yield one("lineitem", "l_orderkey", 10, "l_suppkey = 1 + pmod(l_suppkey, 100)", parts=2)
    yield one("orders", "o_orderkey", 11, "o_orderpriority = '1-URGENT', o_orderdate = add_months(o_orderdate, 3)")
    yield one("orders", "o_orderkey", 12, "o_orderstatus = 'F', o_custkey = 1 + pmod(o_custkey * 7, 1500)", parts=2)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
