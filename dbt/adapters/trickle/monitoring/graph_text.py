"""The graph as text: each end of the DAG with its ancestors below it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dbt.adapters.trickle.monitoring.graph import ModelGraph
from dbt.adapters.trickle.monitoring.short_numbers import iso
from dbt.adapters.trickle.monitoring.status import TableStatus
from dbt.adapters.trickle.monitoring.svg import caption
from dbt.adapters.trickle.monitoring.text_table import display_width, shortened
from dbt.adapters.trickle.project.project import Project

REPEATED = "see above"


def graph_text(project: Project, graph: ModelGraph, width: int | None) -> str:
    """A tree for each table that no other reads; a subtree that was shown before is only named."""
    if not graph.nodes:
        return f"{project.name} has no stream tables: set `materialized='stream_table'` in a model's config."
    rows = list(_rows(graph))
    longest = max(display_width(name) for name, _ in rows)
    widest = max(display_width(caption_text) for _, caption_text in rows)
    room = longest if width is None else min(longest, max(20, width - 2 - widest))
    lines = []
    for name, caption_text in rows:
        short = shortened(name, room)
        lines.append(f"{short}{' ' * (room - display_width(short))}  {caption_text}".rstrip())
    return "\n".join(lines)


def _rows(graph: ModelGraph) -> Iterator[tuple[str, str]]:
    shown: set[str] = set()
    for end in sorted(graph.ends, key=lambda key: graph.nodes[key].label):
        yield from _tree(graph, end, "", "", shown)


def _tree(graph: ModelGraph, key: str, before: str, below: str, shown: set[str]) -> Iterator[tuple[str, str]]:
    node, sources = graph.nodes[key], graph.reads(key)
    repeated = key in shown and bool(sources)
    yield f"{before}{node.label}", REPEATED if repeated else caption(node, graph.status.get(key))
    if repeated:
        return
    shown.add(key)
    for index, source in enumerate(sources):
        is_last = index == len(sources) - 1
        yield from _tree(
            graph, source, below + ("└─ " if is_last else "├─ "), below + ("   " if is_last else "│  "), shown
        )


def graph_json(project: Project, graph: ModelGraph, now: int) -> dict[str, Any]:
    """Nodes and edges for programs."""
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
                **_status_fields(graph.status.get(key)),
            }
            for key, node in graph.nodes.items()
        ],
    }


def _status_fields(status: TableStatus | None) -> dict[str, Any]:
    if status is None:
        return {}
    lag = None if status.lag is None else status.lag / 1000
    maintained = status.maintained or None
    return {
        "state": status.state,
        "lag": lag,
        "schedule": status.target.schedule or None,
        "refresh_mode": status.mode,
        "maintained": maintained,
    }
