"""TPC-H under refresh functions: after every round of changes each stream table must equal its query, row for row.

python benchmarks/tpch_exact.py DIR [--scale 0.01] [--rounds 10] [--only q01 …]

DIR has one query per file; `tpchgen-cli` (pip install 'dbt-trickle[bench]') generates the tables. One line of JSON per
refresh; exit code 1 if any differs.
"""

from __future__ import annotations

import argparse
import json
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

from benchmarks.approaches import StreamTable
from benchmarks.cells import Cell
from benchmarks.sources import Sources
from benchmarks.tpch_tables import TABLES, generate
from benchmarks.workspace import SCHEMA, Workspace
from dbt.adapters.trickle.catalog.answers import Answers, answered
from dbt.adapters.trickle.history.delta_files import last_stamp
from dbt.adapters.trickle.names import storage_name
from trickle import Facts, Target, compile_view, exact_check, output_schema
from trickle.planning.instants import as_of

NEW = 10_000_000
"""Added per round to the keys of the orders that new orders are copied from, whose dates cover the whole range."""


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("queries", type=Path)
    parser.add_argument("--scale", default="0.01")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--memory", default="2g")
    options = parser.parse_args(arguments)
    files = [file for file in sorted(options.queries.glob("q*.sql")) if not options.only or file.stem in options.only]
    verdicts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="trickle-tpch-") as folder:
        workspace = Workspace(Path(folder), options.memory, None, {"spark.sql.shuffle.partitions": "2"})
        try:
            _load(workspace, Path(folder) / "parquet", options.scale)
            tables = {file.stem: _stream_table(workspace, file.stem, file.read_text("utf-8")) for file in files}
            for number in range(options.rounds + 1):
                for statement in changes(number) if number else ():
                    workspace.rows(statement)
                for name, table in tables.items():
                    record = _refresh_and_check(workspace, name, table)
                    verdicts[record["verdict"]] += 1
                    print(json.dumps({"round": number, "query": name, **record}), flush=True)
        finally:
            workspace.close()
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items())))
    return 0 if set(verdicts) == {"exact"} else 1


def _load(workspace: Workspace, folder: Path, scale: str) -> None:
    generate(folder, scale)
    workspace.rows(f"use {SCHEMA}")
    for name in TABLES:
        workspace.rows(
            f"create table {name} using delta tblproperties ('delta.enableChangeDataFeed' = 'true') "
            f"as select * from parquet.`{folder / name}.parquet`"
        )


def _stream_table(workspace: Workspace, name: str, text: str) -> StreamTable:
    cell = Cell(name, lambda _: text, (), lambda *_: "")
    return StreamTable(workspace, Sources(0), cell, "table", "incremental")


def _refresh_and_check(workspace: Workspace, name: str, table: StreamTable) -> dict[str, Any]:
    started = time.monotonic()
    outcome = table.refresh()
    taken = time.monotonic() - started
    differences = list(workspace.rows(_check(workspace, table)))
    answer = {"action": outcome.action, "strategy": outcome.strategy, "seconds": round(taken, 1)}
    return {
        **answer,
        "verdict": "mismatched" if differences else "exact",
        "differences": [str(row) for row in differences[:3]],
    }


def _check(workspace: Workspace, table: StreamTable) -> str:
    columns = output_schema(workspace.analyst.schema_of(table.sql))
    answers = Answers(workspace.describe_sources().resolve)
    view, _ = answered(partial(compile_view, table.sql), answers, Facts(output=columns))
    storage = storage_name(table.identifier)
    stamped = last_stamp(workspace.log(storage))
    assert stamped is not None
    target = Target((SCHEMA, table.identifier), (SCHEMA, storage), exists=True)
    return exact_check(view, target, as_of(stamped.stamp))


def changes(number: int) -> Iterator[str]:
    """RF1, RF2 and RF3 of a round: a thousandth of the orders each, and updates that cross every predicate."""
    yield from _new_orders(number)
    yield from _deleted_orders(number)
    yield from _updates(number)
    if number > 1:
        yield from _returned_orders(number)


def _sampled(key: str, number: int, salt: int, parts: int = 1, of: int = 1000) -> str:
    return f"pmod(xxhash64({key}, {number}, {salt}), {of}) < {parts}"


def _new_orders(number: int) -> Iterator[str]:
    for table, key in (("orders", "o_orderkey"), ("lineitem", "l_orderkey")):
        old = f"{key} < {NEW} and {_sampled(key, number, 1)}"
        yield f"insert into {table} select {key} + {NEW * number} as {key}, * except ({key}) from {table} where {old}"


def _deleted_orders(number: int) -> Iterator[str]:
    """Both sides of the join in one interval."""
    for table, key in (("orders", "o_orderkey"), ("lineitem", "l_orderkey")):
        yield f"delete from {table} where {_sampled(key, number, 2)}"


def _returned_orders(number: int) -> Iterator[str]:
    """The orders deleted in the round before return under their own keys."""
    for table, key in (("orders", "o_orderkey"), ("lineitem", "l_orderkey")):
        deleted = f"select * from {table} version as of 0 where {_sampled(key, number - 1, 2)}"
        yield f"insert into {table} select w.* from ({deleted}) w left anti join {table} t on t.{key} = w.{key}"


def _updates(number: int) -> Iterator[str]:
    def update(table: str, key: str, salt: int, assignments: str, parts: int = 5) -> str:
        return f"update {table} set {assignments} where {_sampled(key, number, salt, parts)}"

    segment = (
        "element_at(array('BUILDING', 'MACHINERY', 'AUTOMOBILE', 'FURNITURE', null), cast(1 + c_custkey % 5 as int))"
    )
    yield update("customer", "c_custkey", 3, f"c_mktsegment = {segment}, c_acctbal = -c_acctbal")
    kind = "p_type = 'ECONOMY ANODIZED STEEL', p_brand = 'Brand#23', p_container = 'MED BOX', p_size = 15 + p_size % 3"
    yield update("part", "p_partkey", 4, kind)
    yield update("part", "p_partkey", 5, "p_type = 'PROMO BRUSHED BRASS', p_name = concat('forest green ', p_name)")
    nation = "s_nationkey = pmod(s_nationkey + 7, 25), s_comment = 'Customer slow Complaints'"
    yield update("supplier", "s_suppkey", 6, nation, parts=30)
    yield update("partsupp", "ps_partkey", 7, "ps_supplycost = ps_supplycost + 1, ps_availqty = ps_availqty + 300")
    dates = f"l_shipdate = add_months(l_shipdate, {number} - 5), l_receiptdate = l_commitdate + 1 * interval '1' day"
    yield update("lineitem", "l_orderkey", 8, f"l_discount = 0.06, l_returnflag = 'R', {dates}")
    yield update(
        "lineitem", "l_orderkey", 9, "l_extendedprice = null, l_shipmode = 'MAIL', l_quantity = l_quantity + 40"
    )
    yield update("lineitem", "l_orderkey", 10, "l_suppkey = 1 + pmod(l_suppkey, 100)", parts=2)
    yield update("orders", "o_orderkey", 11, "o_orderpriority = '1-URGENT', o_orderdate = add_months(o_orderdate, 3)")
    yield update("orders", "o_orderkey", 12, "o_orderstatus = 'F', o_custkey = 1 + pmod(o_custkey * 7, 1500)", parts=2)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
