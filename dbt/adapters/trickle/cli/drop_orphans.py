"""dbt-trickle drop-orphans: remove storages that no model of the project claims any more, after asking."""

from __future__ import annotations

import argparse
import shutil
import sys
from typing import TYPE_CHECKING, Any

from dbt.adapters.trickle.cli.project import add_project_options, opened_project, parsed_anew, say
from dbt.adapters.trickle.cli.refusal import Refusal

if TYPE_CHECKING:
    from dbt.adapters.trickle.cli.sql.session import Ask
    from dbt.adapters.trickle.monitoring.orphans import Orphan


def add_parser(subcommands: Any) -> None:
    parser = subcommands.add_parser(
        "drop-orphans",
        help="remove what renamed and removed models have left behind",
        description="Lists the storages in the project's schemas that a model of this project made and none claims any "
        "more, asks, and drops each with the view in front of it. What other projects made is not touched. Has dbt "
        "parse the project first; starts Spark once you have agreed.",
    )
    add_project_options(parser)
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument(
        "--wait", type=float, default=0.0, metavar="SECONDS", help="how long to wait for a warehouse in use"
    )
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """0: they are gone, or there are none; 1: left alone."""
    from dbt.adapters.trickle.monitoring.orphans import orphans

    # Schemas and aliases are those of the target, which the last command may not have been run for.
    parsed_anew(given)
    project = opened_project(given)
    found = orphans(project, project.profile.schema)
    if not found:
        say(f"{project.name} has no orphans: every storage in its schemas belongs to a model.")
        return 0
    say("\n".join(f"{one.relation}: {one.said}" for one in found))
    if not given.yes and not _agreed(len(found)):
        say("Nothing was dropped.")
        return 1
    # dbt, PySpark and Java: seconds that an answer of no need not cost.
    from dbt.adapters.trickle.cli.sql.session import StatementFailed, opened_warehouse

    with opened_warehouse(given.project_dir, given.profiles_dir, given.target, given.wait) as ask:
        for one in found:
            try:
                _drop(one, ask)
            except StatementFailed as failure:
                raise Refusal(f"{one.relation} cannot be dropped: {failure}") from failure
            say(f"dropped {one.relation}")
    return 0


def _agreed(count: int) -> bool:
    tables = "this table" if count == 1 else f"these {count} tables"
    sys.stdout.write(f"Drop {tables} and the view in front? [y/N] ")
    sys.stdout.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _drop(orphan: Orphan, ask: Ask) -> None:
    """The view only where it is the storage's: the name may be somebody else's by now."""
    from dbt.adapters.trickle.monitoring.orphans import shows_storage

    entries = (
        ask(f"show tblproperties {_quoted(orphan.schema, orphan.identifier)}", None) if _is_view(orphan, ask) else None
    )
    if entries is not None and shows_storage(orphan, {str(row[0]): str(row[1]) for row in entries.rows}):
        ask(f"drop view if exists {_quoted(orphan.schema, orphan.identifier)}", None)
    ask(f"drop table if exists {_quoted(orphan.schema, orphan.storage)}", None)
    if orphan.folder.is_dir():
        shutil.rmtree(orphan.folder)


def _is_view(orphan: Orphan, ask: Ask) -> bool:
    """Temporary views, which SHOW VIEWS lists as well, have no schema."""
    views = ask(f"show views in {_quoted(orphan.schema)}", None).rows
    return any((str(row[0]), str(row[1])) == (orphan.schema, orphan.identifier) for row in views)


def _quoted(*parts: str) -> str:
    return ".".join(f"`{part.replace('`', '``')}`" for part in parts)
