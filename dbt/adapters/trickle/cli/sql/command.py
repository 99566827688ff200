"""The sql command: its options, and the loop over the statements."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from dbt.adapters.trickle.cli.project import add_project_options, add_wait_option, line_width
from dbt.adapters.trickle.cli.refusal import Refusal, at
from dbt.adapters.trickle.cli.sql.printing import printed
from trickle.sql.statements import statements

FORMATS = ("text", "json", "csv")
DEFAULT_LIMIT = 1000


def add_parser(subcommands: Any) -> None:
    parser = subcommands.add_parser(
        "sql",
        help="run SQL on the warehouse of a dbt project",
        description="Runs statements, separated by semicolons, on the embedded warehouse of the project's profile, and "
        "prints the rows of each. Names without a schema are in the profile's schema. Stops at the first failure.",
    )
    parser.add_argument("sql", nargs="?", metavar="SQL", help="statements, or - to read them from standard input")
    parser.add_argument("-f", "--file", type=Path, metavar="FILE", help="read the statements from a file")
    parser.add_argument(
        "--format", choices=FORMATS, default="text", help="a table, one JSON object per row, or CSV with a header"
    )
    parser.add_argument(
        "--limit", type=int, default=DEFAULT_LIMIT, metavar="N", help="rows to print, 0 for all (default: %(default)s)"
    )
    add_wait_option(parser)
    add_project_options(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """0: all statements ran; 1: one failed, and the following ones were not run."""
    texts = statements(_text(given))
    if not texts:
        raise Refusal(f"{given.file or 'SQL'}: there is no statement to run")
    # Importing dbt and starting Java take seconds; wrong arguments are reported before.
    from dbt.adapters.trickle.cli.sql.session import SparkError, opened_warehouse

    silent = True
    with opened_warehouse(given.project_dir, given.profiles_dir, given.target, given.wait) as execute:
        for number, text in enumerate(texts):
            try:
                result = execute(text, given.limit or None)
            except SparkError as failure:
                position = f"statement {number + 1} of {len(texts)}: " if len(texts) > 1 else ""
                sys.stderr.write(f"dbt-trickle sql: {position}{failure}\n")
                return 1
            shown = printed(result, given.format, line_width())
            if shown:
                silent = False
                between = "\n" if number and given.format != "json" else ""
                sys.stdout.write(f"{between}{shown}\n")
                sys.stdout.flush()
    if silent:
        ran = "the statement ran and has" if len(texts) == 1 else f"{len(texts)} statements ran and have"
        sys.stderr.write(f"dbt-trickle sql: {ran} no rows to show\n")
    return 0


def _text(given: argparse.Namespace) -> str:
    if (given.sql is None) == (given.file is None):
        raise Refusal('give either statements, as in dbt-trickle sql "select 1", or a file with -f')
    if given.sql == "-":
        return sys.stdin.read()
    if given.file is None:
        return str(given.sql)
    try:
        return str(given.file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as failure:
        raise at(given.file, f"the file cannot be read ({failure})") from failure
