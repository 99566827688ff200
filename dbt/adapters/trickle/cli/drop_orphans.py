"""dbt-trickle drop-orphans: remove storages whose model is gone, after asking."""

from __future__ import annotations

import argparse
import shutil
import sys
from typing import TYPE_CHECKING, Any

from dbt.adapters.trickle.cli.project import (
    add_project_options,
    add_wait_option,
    opened_project,
    parse_project,
    print_text,
)
from dbt.adapters.trickle.cli.refusal import Refusal
from dbt.adapters.trickle.names import quoted

if TYPE_CHECKING:
    from dbt.adapters.trickle.cli.sql.session import Execute
    from dbt.adapters.trickle.monitoring.orphans import Orphan


def add_parser(subcommands: Any) -> None:
    parser = subcommands.add_parser(
        "drop-orphans",
        help="remove the storages of renamed and removed models",
        description="Lists the storages in the project's schemas that a model of this project created and that belong "
        "to no model any more, asks, and drops each with the view in front of it. Storages of other projects are not "
        "touched. Has dbt parse the project first; starts Spark only after you agree.",
    )
    add_project_options(parser)
    parser.add_argument("--yes", action="store_true", help="do not ask")
    add_wait_option(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """0: the orphans were dropped, or there are none; 1: the user declined."""
    from dbt.adapters.trickle.monitoring.orphans import orphans

    # Schemas and aliases depend on the target, for which the last dbt command may not have run.
    parse_project(given)
    project = opened_project(given)
    orphan_storages = orphans(project, project.profile.schema)
    if not orphan_storages:
        print_text(f"{project.name} has no orphans: every storage in its schemas belongs to a model.")
        return 0
    print_text("\n".join(f"{orphan.relation}: {orphan.sentence}" for orphan in orphan_storages))
    if not given.yes and not _confirmed(len(orphan_storages)):
        print_text("Nothing was dropped.")
        return 1
    # Importing dbt and starting Java take seconds; an answer of no should not wait for them.
    from dbt.adapters.trickle.cli.sql.session import SparkError, opened_warehouse

    with opened_warehouse(given.project_dir, given.profiles_dir, given.target, given.wait) as execute:
        for orphan in orphan_storages:
            try:
                _drop(orphan, execute)
            except SparkError as failure:
                raise Refusal(f"{orphan.relation} cannot be dropped: {failure}") from failure
            print_text(f"dropped {orphan.relation}")
    return 0


def _confirmed(count: int) -> bool:
    tables = "this table" if count == 1 else f"these {count} tables"
    sys.stdout.write(f"Drop {tables} and the view in front? [y/N] ")
    sys.stdout.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _drop(orphan: Orphan, execute: Execute) -> None:
    """Drop the storage, and the view of that name only if it is the storage's."""
    from dbt.adapters.trickle.monitoring.orphans import shows_storage

    entries = (
        execute(f"show tblproperties {_quoted(orphan.schema, orphan.identifier)}", None)
        if _is_view(orphan, execute)
        else None
    )
    if entries is not None and shows_storage(orphan, {str(row[0]): str(row[1]) for row in entries.rows}):
        execute(f"drop view if exists {_quoted(orphan.schema, orphan.identifier)}", None)
    execute(f"drop table if exists {_quoted(orphan.schema, orphan.storage)}", None)
    if orphan.folder.is_dir():
        shutil.rmtree(orphan.folder)


def _is_view(orphan: Orphan, execute: Execute) -> bool:
    """Whether a permanent view has the orphan's name. Temporary views, which SHOW VIEWS lists too, have no schema."""
    views = execute(f"show views in {_quoted(orphan.schema)}", None).rows
    return any((str(row[0]), str(row[1])) == (orphan.schema, orphan.identifier) for row in views)


def _quoted(*parts: str) -> str:
    return ".".join(map(quoted, parts))
