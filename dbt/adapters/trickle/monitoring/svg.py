"""The graph as SVG: boxes in layers, curves between them. The HTML page around it adds colours and behaviour."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise

from dbt.adapters.trickle.monitoring.graph import ModelGraph
from dbt.adapters.trickle.monitoring.layers import Drawing, drawn
from dbt.adapters.trickle.monitoring.short_numbers import span
from dbt.adapters.trickle.monitoring.status import TableStatus
from dbt.adapters.trickle.monitoring.text_table import shortened
from dbt.adapters.trickle.project.nodes import Node

WIDTH, HEIGHT = 196, 40
COLUMN, ROW = WIDTH + 84, HEIGHT + 14
MARGIN = 12
LETTERS, SMALL_LETTERS = 27, 36
"""Characters that fit a box; longer text is shortened in the middle and shown whole in the tooltip."""

Point = tuple[float, float]


def svg(graph: ModelGraph) -> str:
    """Edges come first, so that boxes cover them."""
    drawing = drawn(list(graph.nodes), graph.edges)
    width = MARGIN * 2 + (drawing.layers - 1) * COLUMN + WIDTH
    height = MARGIN * 2 + max(1.0, drawing.height) * ROW
    edges = [_edge(first, last, drawing) for first, last in dict.fromkeys(graph.edges)]
    boxes = [_box(node, graph.status.get(key), drawing) for key, node in graph.nodes.items()]
    size = f'width="{width}" height="{height:.0f}" viewBox="0 0 {width} {height:.0f}"'
    return "\n".join([f'<svg id="dag" xmlns="http://www.w3.org/2000/svg" {size}>', *edges, *boxes, "</svg>"])


def _corner(drawing: Drawing, layer: int, position: float) -> Point:
    return MARGIN + layer * COLUMN, MARGIN + position * ROW


def _edge(first: str, last: str, drawing: Drawing) -> str:
    left, top = _corner(drawing, *drawing.nodes[first])
    points: list[Point] = [(left + WIDTH, top)]
    for bend in drawing.bends[(first, last)]:
        left, top = _corner(drawing, *bend)
        points += [(left, top), (left + WIDTH, top)]
    points.append(_corner(drawing, *drawing.nodes[last]))
    ends = f'data-from="{escape(first)}" data-to="{escape(last)}"'
    return f'<path class="edge" {ends} d="{_curve(points)}"/>'


def _curve(points: Sequence[Point]) -> str:
    """Curves across the gaps between layers, straight lines past the layers themselves."""
    words = [f"M{points[0][0]:.0f} {points[0][1]:.1f}"]
    for (x, y), (right, below) in pairwise(points):
        if y == below:
            words.append(f"H{right:.0f}")
        else:
            middle = (x + right) / 2
            words.append(f"C{middle:.0f} {y:.1f} {middle:.0f} {below:.1f} {right:.0f} {below:.1f}")
    return "".join(words)


def _box(node: Node, status: TableStatus | None, drawing: Drawing) -> str:
    left, middle = _corner(drawing, *drawing.nodes[node.id])
    kinds = f"node {node.materialized}" + (f" {status.state.replace(' ', '-')}" if status else "")
    shape = f'<rect x="{left}" y="{middle - HEIGHT / 2:.1f}" width="{WIDTH}" height="{HEIGHT}" rx="6"/>'
    name = f'<text x="{left + 10}" y="{middle - 3:.1f}">{escape(shortened(node.label, LETTERS))}</text>'
    caption_text = escape(shortened(caption(node, status), SMALL_LETTERS))
    below = f'<text class="small" x="{left + 10}" y="{middle + 12:.1f}">{caption_text}</text>'
    title = f"<title>{escape(tooltip(node, status))}</title>"
    data = f'data-id="{escape(node.id)}" data-name="{escape(node.label)}"'
    return f'<g class="{kinds}" {data}>{title}{shape}{name}{below}</g>'


def caption(node: Node, status: TableStatus | None) -> str:
    """The second line of a box: `incremental · 5m · behind 2m`."""
    if status is None:
        return node.materialized
    words = [status.mode if status.mode == "full" else status.maintained or status.mode]
    # The edges to the reading nodes already show that it is calculated.
    words += [status.target.schedule.removeprefix("calculated: ")] if status.target.schedule else []
    words.append(f"{status.state} {span(status.lag, 1)}" if status.lag else status.state)
    return " · ".join(words)


def tooltip(node: Node, status: TableStatus | None) -> str:
    lines = [f"{node.label} ({node.materialized})", ".".join(node.relation) if node.schema else node.file]
    if status is not None:
        lines.append(caption(node, status))
        if status.stamped is not None:
            stamp = status.stamped.stamp
            lines.append(f"last refresh: {stamp.action} {stamp.reason}. {status.last_message}".strip())
        lines += [status.detail] if status.detail else []
        lines += list(status.because.values())
    return "\n".join(lines)
