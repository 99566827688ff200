"""TPC-H's queries as stream tables beside dbt's plain `table`, through dbt, in one warm process.

python benchmarks/tpch.py DIRECTORY-OF-QUERIES --work FOLDER [--scale 1] [--rounds 5] [--regimes append refresh mixed]

DIRECTORY-OF-QUERIES has one query per file, q01.sql to q22.sql; `tpchgen-cli` (pip install 'dbt-trickle[bench]') makes
the tables. Every round changes the tables, then each variant refreshes all its models by one `dbt run`; which variant
goes first rotates. Everything is recorded in FOLDER/tpch.jsonl: a run that was cut off goes on after its last whole
round. At the end, or with --report alone, the results go to FOLDER/tpch.json, and with --page into a page.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.journal import Journal, Record, Round, conflict, remaining
from benchmarks.machine import describe
from benchmarks.tpch_bench import Bench, Settings, open_bench, show, statements
from benchmarks.tpch_page import publish
from benchmarks.tpch_project import VARIANTS, read_queries
from benchmarks.tpch_regimes import PERCENT
from benchmarks.workspace import Workspace

OF_TABLES = ("scale", "clustered")
"""Settings that a folder has for good."""


def main(arguments: Sequence[str]) -> int:
    options = _read(arguments)
    work: Path = options.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    journal = Journal(work / "tpch.jsonl")
    good = options.report or _measure(options, work, journal)
    print(publish(journal.records, work / "tpch.json", options.page))
    return 0 if good else 1


def _measure(options: argparse.Namespace, work: Path, journal: Journal) -> bool:
    """Whether every model was refreshed and none differs."""
    queries = read_queries(options.queries.resolve(), options.only)
    settings = Settings(
        options.scale, options.cluster, options.memory, options.cores, list(queries), list(options.variants)
    )
    rounds = _planned(options, settings, [*journal.records, *([{"kind": "afresh"}] if options.afresh else [])])
    if not rounds:
        show("everything is measured; --rounds or --regimes asks for more, --afresh begins again")
        return True
    if options.afresh:
        journal.write("afresh")
    at = datetime.now(timezone.utc).isoformat(timespec="seconds")
    journal.write("run", at=at, machine=describe(), settings=asdict(settings))
    workspace = Workspace(work, settings.memory, settings.cores)
    try:
        return _run(open_bench(work, workspace, settings, queries, journal), rounds, options.check)
    finally:
        workspace.close()


def _planned(options: argparse.Namespace, settings: Settings, records: Sequence[Record]) -> list[Round]:
    """The rounds that are missing, refused before anything is measured if they cannot be."""
    refusal = conflict(records, asdict(settings), OF_TABLES)
    if refusal:
        raise SystemExit(refusal)
    wanted = {regime: options.percent or PERCENT[regime] for regime in options.regimes}
    rounds = list(remaining(records, wanted, options.rounds))
    try:
        for one in rounds:
            statements(one, settings.scale)
    except ValueError as impossible:
        raise SystemExit(str(impossible)) from None
    return rounds


def _run(bench: Bench, rounds: Sequence[Round], checked: bool) -> bool:
    good = True
    for index, one in enumerate(rounds):
        began = time.monotonic()
        share = f" {one.percent:g} %" if one.percent else ""
        measured = "" if one.measured else ", not measured"
        show(f"round {one.number} ({index + 1} of {len(rounds)}): {one.regime}{share}{measured}")
        failed = bench.refresh(one)
        good &= not failed
        if checked:
            good &= bench.check(one, failed)
        show(f"  {time.monotonic() - began:.0f} s")
    return good


def _read(arguments: Sequence[str]) -> Any:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("queries", type=Path, nargs="?", help="the directory; not needed with --report")
    parser.add_argument("--work", type=Path, required=True, help="the folder of tables, project and results")
    parser.add_argument("--scale", default="1", help="TPC-H's scale factor")
    parser.add_argument("--rounds", type=int, default=5, help="measured rounds of each regime")
    parser.add_argument("--regimes", nargs="+", default=list(PERCENT), choices=list(PERCENT))
    parser.add_argument("--percent", type=float, help="of the orders in every regime; by default each has its own")
    parser.add_argument("--only", nargs="+", default=[], metavar="q01", help="some queries instead of all")
    parser.add_argument("--variants", nargs="+", default=list(VARIANTS), choices=list(VARIANTS))
    parser.add_argument("--cluster", action="store_true", help="cluster the tables by their keys")
    parser.add_argument("--check", action="store_true", help="compare each stream table with its query after a round")
    parser.add_argument("--afresh", action="store_true", help="count nothing measured before; tables are used again")
    parser.add_argument("--report", action="store_true", help="measure nothing, report what is there")
    parser.add_argument("--page", type=Path, help="a page with a block for this scale, as docs/benchmarks.md has")
    parser.add_argument("--memory", default="8g", help="Java's heap")
    parser.add_argument("--cores", type=int, default=None, help="cores for Spark, all by default")
    options = parser.parse_args(arguments)
    if options.queries is None and not options.report:
        parser.error("name the directory of queries")
    return options


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
