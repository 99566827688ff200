"""main: the argument parser, with one module per subcommand."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from typing import Optional

from dbt.adapters.trickle.cli import cron, drop_orphans, due, explain, graph, history, sql, status, suspend, verify
from dbt.adapters.trickle.cli.refusal import Refusal
from trickle.sql.stack_size import raise_recursion_limit

COMMANDS = (explain, verify, status, history, graph, due, suspend, cron, drop_orphans, sql)


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run a command. 0: success; 1: the command found a fault; 2: it could not start."""
    parser = argparse.ArgumentParser(
        prog="dbt-trickle",
        description="Explains and verifies how queries are maintained, and shows the stream tables of a project.",
    )
    parser.add_argument("--version", action="version", version=f"dbt-trickle {version('dbt-trickle')}")
    subcommands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add_parser(subcommands)
    words = sys.argv[1:] if arguments is None else list(arguments)
    unknown = _unknown_command(words, list(subcommands.choices))
    if unknown is not None:
        sys.stderr.write(f"dbt-trickle: {unknown}\n")
        return 2
    given = parser.parse_args(words)
    raise_recursion_limit()
    try:
        return int(given.run(given))
    except Refusal as refusal:
        sys.stderr.write(f"dbt-trickle {given.command}: {refusal}\n")
        return 2
    except BrokenPipeError:
        # The reader (`head`, for example) closed the pipe; Python would report an error when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _unknown_command(words: Sequence[str], names: Sequence[str]) -> Optional[str]:
    """An error message if the first word is not a command."""
    if not words or words[0].startswith("-") or words[0] in names:
        return None
    from dbt.adapters.trickle.project.errors import nearest

    return f"there is no command {words[0]}{nearest(words[0], names)}"
