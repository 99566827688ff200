"""A drawing of a DAG: layers from left to right, few crossings, straight edges.

The steps are Sugiyama's: layers by longest path; an edge over several layers gets a bend in each; the order within
layers by the mean position of neighbours, sweeping back and forth; then positions as near to the neighbours' as the
order allows.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

SWEEPS = 12
BEND = 0.35
"""The height of a bend, in heights of a node."""

Edge = tuple[str, str]


@dataclass(frozen=True)
class Drawing:
    """Layer and position of each node, and of the bends of each edge. A layer is 1 wide, a node 1 high."""

    nodes: Mapping[str, tuple[int, float]]
    bends: Mapping[Edge, Sequence[tuple[int, float]]]
    """From the edge's start to its end."""

    @property
    def layers(self) -> int:
        return 1 + max((layer for layer, _ in self.nodes.values()), default=-1)

    @property
    def height(self) -> float:
        return 1 + max((position for _, position in self.nodes.values()), default=0)


def drawn(nodes: Sequence[str], edges: Sequence[Edge]) -> Drawing:
    """The layout of a DAG whose `nodes` are in topological order."""
    layer = _layers(nodes, edges)
    links: dict[Edge, None] = {}
    chains: dict[Edge, list[str]] = {}
    for first, last in dict.fromkeys(edges):
        # Edges from one node share their bends, and so are drawn as one line as far as they run together.
        chain = [f"{first}\0{at}" for at in range(layer[first] + 1, layer[last])]
        layer.update({bend: layer[first] + 1 + index for index, bend in enumerate(chain)})
        chains[first, last] = chain
        links.update(dict.fromkeys(zip([first, *chain], [*chain, last])))
    rows: list[list[str]] = [[] for _ in range(1 + max(layer.values(), default=-1))]
    for name, at in layer.items():
        rows[at].append(name)
    positions = _positions(_ordered(rows, list(links)), list(links), set(nodes))
    return Drawing(
        {name: (layer[name], positions[name]) for name in nodes},
        {edge: [(layer[bend], positions[bend]) for bend in chain] for edge, chain in chains.items()},
    )


def _layers(nodes: Sequence[str], edges: Sequence[Edge]) -> dict[str, int]:
    """The layer of each node: right of its furthest source, then further right where that shortens edges."""
    sources: dict[str, list[str]] = defaultdict(list)
    targets: dict[str, list[str]] = defaultdict(list)
    for first, last in edges:
        sources[last].append(first)
        targets[first].append(last)
    layer: dict[str, int] = {}
    for name in nodes:
        layer[name] = 1 + max((layer[source] for source in sources[name]), default=-1)
    for name in reversed(nodes):
        if targets[name] and len(sources[name]) <= len(targets[name]):
            layer[name] = min(layer[source] for source in targets[name]) - 1
    return layer


def _ordered(rows: list[list[str]], links: Sequence[Edge]) -> list[list[str]]:
    """The order with the fewest crossings among sweeps right and left by the mean position of neighbours."""
    left, right = _neighbours(links)
    best, fewest = [list(row) for row in rows], _crossings(rows, right)
    for sweep in range(SWEEPS):
        forward = sweep % 2 == 0
        indexes = range(1, len(rows)) if forward else range(len(rows) - 2, -1, -1)
        for at in indexes:
            _sort(rows[at], rows[at - 1] if forward else rows[at + 1], left if forward else right)
        count = _crossings(rows, right)
        if count < fewest:
            best, fewest = [list(row) for row in rows], count
    return best


def _neighbours(links: Sequence[Edge]) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    left: dict[str, list[str]] = defaultdict(list)
    right: dict[str, list[str]] = defaultdict(list)
    for first, last in links:
        left[last].append(first)
        right[first].append(last)
    return left, right


def _sort(row: list[str], adjacent: list[str], neighbours: Mapping[str, list[str]]) -> None:
    at = {name: index for index, name in enumerate(adjacent)}
    own = {name: float(index) for index, name in enumerate(row)}
    for name in row:
        adjacent_positions = [at[neighbour] for neighbour in neighbours.get(name, ())]
        if adjacent_positions:
            own[name] = sum(adjacent_positions) / len(adjacent_positions)
    row.sort(key=own.__getitem__)


def _crossings(rows: Sequence[Sequence[str]], right: Mapping[str, list[str]]) -> int:
    """The number of links between adjacent layers that cross: inversions of their end positions."""
    count = 0
    for row, following in pairwise(rows):
        at = {name: index for index, name in enumerate(following)}
        seen: list[int] = []
        for name in row:
            ends = sorted(at[neighbour] for neighbour in right.get(name, ()))
            count += sum(len(seen) - bisect_left(seen, end + 1) for end in ends)
            for end in ends:
                insort(seen, end)
    return count


def _positions(rows: Sequence[Sequence[str]], links: Sequence[Edge], nodes: set[str]) -> dict[str, float]:
    """Positions near the mean of the neighbours, as order and height allow; long edges are straight."""
    left, right = _neighbours(links)
    height = {name: 1.0 if name in nodes else BEND for row in rows for name in row}
    positions: dict[str, float] = {}
    for row in rows:
        at = 0.0
        for name in row:
            positions[name] = at + height[name] / 2
            at += height[name]
    for sweep in range(SWEEPS):
        forward = sweep % 2 == 0
        for row in rows if forward else reversed(rows):
            wanted = []
            for name in row:
                adjacent = left[name] if forward else right[name]
                adjacent = adjacent or (right[name] if forward else left[name])
                wanted.append(
                    sum(positions[neighbour] for neighbour in adjacent) / len(adjacent) if adjacent else positions[name]
                )
            weights = [1.0 if name in nodes else 4.0 for name in row]
            positions.update(zip(row, _spaced(wanted, weights, [height[name] for name in row])))
    top = min((positions[name] - height[name] / 2 for name in positions), default=0.0)
    return {name: position - top for name, position in positions.items()}


def _spaced(wanted: Sequence[float], weights: Sequence[float], heights: Sequence[float]) -> list[float]:
    """The positions nearest to the wanted ones (least squares) that keep the order and the heights.

    Pool adjacent violators: neighbours that would overlap move together, to the mean of their wanted positions.
    """
    offsets = [0.0]
    for height, following in pairwise(heights):
        offsets.append(offsets[-1] + (height + following) / 2)
    blocks: list[tuple[float, float, int]] = []
    for want, weight, offset in zip(wanted, weights, offsets):
        mean, heavy, count = want - offset, weight, 1
        while blocks and blocks[-1][0] > mean:
            other, more, members = blocks.pop()
            mean = (mean * heavy + other * more) / (heavy + more)
            heavy, count = heavy + more, count + members
        blocks.append((mean, heavy, count))
    means = [mean for mean, _, count in blocks for _ in range(count)]
    return [mean + offset for mean, offset in zip(means, offsets)]
