"""The graph as one self-contained HTML page: no network, and no script but its own few lines."""

from __future__ import annotations

from collections import Counter
from html import escape
from pathlib import Path

from dbt.adapters.trickle.monitoring.graph import ModelGraph
from dbt.adapters.trickle.monitoring.short_numbers import moment
from dbt.adapters.trickle.monitoring.status import STATES
from dbt.adapters.trickle.monitoring.svg import svg
from dbt.adapters.trickle.project.project import Project

TEMPLATE = Path(__file__).with_name("page.html")


def page(project: Project, graph: ModelGraph, now: int) -> str:
    """Headline, legend, search and drawing."""
    zone = project.profile.time_zone
    counted = Counter(status.state for status in graph.status.values())
    legend = [
        f'<span class="key {state.replace(" ", "-")}">{counted[state]} {escape(state)}</span>'
        for state in STATES
        if counted[state]
    ]
    others = len(graph.nodes) - len(graph.status)
    parts = {
        "{{title}}": escape(f"{project.name}: {len(graph.status)} stream tables"),
        "{{asked}}": escape(f"{moment(now, zone)} {zone}"),
        "{{legend}}": "".join(legend) + f'<span class="key other">{others} others</span>',
        "{{drawing}}": svg(graph),
    }
    text = TEMPLATE.read_text("utf-8")
    for mark, content in parts.items():
        text = text.replace(mark, content)
    return text
