"""The verify command's options."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from dbt.adapters.trickle.cli.project import add_project_options
from dbt.adapters.trickle.cli.verify.ring_names import CONNECT, DUCKDB, RINGS


def add_parser(subcommands: Any) -> None:
    parser = subcommands.add_parser(
        "verify",
        help="verify that maintained results are exact",
        description="Runs case files, or queries over small random tables (with --schema). After every round of "
        "changes each stream table must equal its query, whichever strategy applied the change. Exit code 1 if "
        "one does not, if a query is invalid, or if one exceeded its memory.",
    )
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help=".case files or folders of them; or SQL or JSONL of {id, sql}"
    )
    parser.add_argument("--model", nargs="+", default=[], metavar="NAME", help="models of a dbt project")
    parser.add_argument("--schema", type=Path, metavar="FILE.json", help="table → column list; needed for queries")
    parser.add_argument(
        "--ring",
        type=_ring,
        default=DUCKDB,
        metavar="RING",
        help="where to run: `duckdb` (milliseconds), `spark` with Delta, or a Spark Connect server as sc://host:port",
    )
    parser.add_argument("--rounds", type=_count, default=5, help="rounds of changes per query (default 5)")
    parser.add_argument("--rows", type=_count, default=20, help="initial rows per table (default 20)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of rows and changes (default 1)")
    parser.add_argument("--jobs", type=_count, default=1, help="parallel processes (duckdb only)")
    parser.add_argument(
        "--memory",
        type=float,
        default=4.0,
        metavar="GB",
        help="memory of the process that verifies a query, 0 for no separate process (default 4; duckdb only)",
    )
    parser.add_argument("--limit", type=_count, metavar="N", help="only the first N")
    parser.add_argument("--only", action="append", metavar="ID", help="only this query or case; may be repeated")
    parser.add_argument(
        "--by-turns",
        action="store_true",
        help="one applicable strategy per refresh, in turn (always on Spark), not all",
    )
    parser.add_argument("--write-mismatched", type=Path, metavar="DIR", help="write each mismatch as a case file")
    add_project_options(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    # Generators, processes and rings are imported by nobody who asks for another command.
    from dbt.adapters.trickle.cli.verify.verdicts import verify

    return verify(given)


def _ring(text: str) -> str:
    if text not in RINGS and not text.startswith(CONNECT):
        raise argparse.ArgumentTypeError(f"{text!r} is no ring: say {', '.join(RINGS)} or {CONNECT}host:port")
    return text


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value
