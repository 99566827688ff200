"""dbt-trickle graph: the DAG of the stream tables, as text or as one HTML page. Starts no Spark."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from dbt.adapters.trickle.cli.project import (
    add_format_option,
    add_project_options,
    line_width,
    now,
    opened_project,
    print_json,
    print_text,
)
from dbt.adapters.trickle.cli.refusal import at


def add_parser(subcommands: Any) -> None:
    parser = subcommands.add_parser(
        "graph",
        help="show the stream tables of a dbt project and their ancestors",
        description="Prints a tree for each stream table that no other reads: its ancestors, with schedule, mode and "
        "state. --html writes the same graph as one page for a browser. Starts no Spark.",
    )
    parser.add_argument("--html", type=Path, metavar="FILE", help="write one HTML page, which needs no network")
    add_project_options(parser)
    add_format_option(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    from dbt.adapters.trickle.monitoring.graph import model_graph
    from dbt.adapters.trickle.monitoring.graph_text import graph_json, graph_text
    from dbt.adapters.trickle.monitoring.page import page
    from dbt.adapters.trickle.monitoring.status import statuses
    from dbt.adapters.trickle.monitoring.targets import targets_of

    project, instant = opened_project(given), now()
    graph = model_graph(project, statuses(project, targets_of(project), instant))
    if given.html is not None:
        try:
            given.html.write_text(page(project, graph, instant), "utf-8")
        except OSError as failure:
            raise at(given.html, f"the page cannot be written ({failure.strerror})") from failure
        print_text(f"{given.html}: {len(graph.nodes)} nodes, {len(graph.status)} of them stream tables")
    elif given.format == "json":
        print_json(graph_json(project, graph, instant))
    else:
        print_text(graph_text(project, graph, line_width()))
    return 0
