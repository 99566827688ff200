"""The graph as text: each end of the DAG, and below it what it is made from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dbt.adapters.trickle.monitoring.columns import display_width, shortened
from dbt.adapters.trickle.monitoring.graph import Graph
from dbt.adapters.trickle.monitoring.short_numbers import iso
from dbt.adapters.trickle.monitoring.status import TableStatus
from dbt.adapters.trickle.monitoring.svg import caption
from dbt.adapters.trickle.project.project import Project

AGAIN = "see above"


def graph_text(project: Project, graph: Graph, width: int | None) -> str:
    """A tree for each table that no other reads; what was shown once is only named again."""
    if not graph.nodes:
        return f"{project.name} has no stream tables: say `materialized='stream_table'` in a model's config."
    rows = list(_rows(graph))
    longest = max(display_width(name) for name, _ in rows)
    widest = max(display_width(said) for _, said in rows)
    room = longest if width is None else min(longest, max(20, width - 2 - widest))
    lines = []
    for name, said in rows:
        short = shortened(name, room)
        lines.append(f"{short}{' ' * (room - display_width(short))}  {said}".rstrip())
    return "\n".join(lines)


def _rows(graph: Graph) -> Iterator[tuple[str, str]]:
    shown: set[str] = set()
    for end in sorted(graph.ends, key=lambda one: graph.nodes[one].label):
        yield from _tree(graph, end, "", "", shown)


def _tree(graph: Graph, key: str, before: str, below: str, shown: set[str]) -> Iterator[tuple[str, str]]:
    node, above = graph.nodes[key], graph.reads(key)
    again = key in shown and bool(above)
    yield f"{before}{node.label}", AGAIN if again else caption(node, graph.status.get(key))
    if again:
        return
    shown.add(key)
    for place, one in enumerate(above):
        last = place == len(above) - 1
        yield from _tree(graph, one, below + ("└─ " if last else "├─ "), below + ("   " if last else "│  "), shown)


def graph_json(project: Project, graph: Graph, now: int) -> dict[str, Any]:
    """Nodes and edges, for machines."""
    return {
        "project": project.name,
        "asked_at": iso(now),
        "nodes": [
            {
                "node": key,
                "name": node.label,
                "kind": node.materialized,
                "relation": ".".join(node.relation),
                "reads": list(graph.reads(key)),
                **_told(graph.status.get(key)),
            }
            for key, node in graph.nodes.items()
        ],
    }


def _told(one: TableStatus | None) -> dict[str, Any]:
    if one is None:
        return {}
    lag = None if one.lag is None else one.lag / 1000
    maintained = one.maintained or None
    return {
        "state": one.state,
        "lag": lag,
        "schedule": one.target.schedule or None,
        "refresh_mode": one.mode,
        "maintained": maintained,
    }
