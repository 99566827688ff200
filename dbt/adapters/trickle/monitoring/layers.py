"""Where to draw the nodes of a DAG: layers from left to right, few crossings, straight edges.

The steps are Sugiyama's: layers by longest path; an edge over several layers gets a bend in each; the order within
layers by the mean place of neighbours, sweeping to and fro; then places as near to the neighbours' as the order allows.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

SWEEPS = 12
BEND = 0.35
"""The room a bend needs, in rooms of a node."""

Edge = tuple[str, str]


@dataclass(frozen=True)
class Drawing:
    """Layer and place of each node, and of the bends of each edge. One layer is 1 wide, one node 1 high."""

    nodes: Mapping[str, tuple[int, float]]
    bends: Mapping[Edge, Sequence[tuple[int, float]]]
    """From the edge's beginning to its end."""

    @property
    def layers(self) -> int:
        return 1 + max((layer for layer, _ in self.nodes.values()), default=-1)

    @property
    def height(self) -> float:
        return 1 + max((place for _, place in self.nodes.values()), default=0)


def drawn(nodes: Sequence[str], edges: Sequence[Edge]) -> Drawing:
    """Lay a DAG out; `nodes` come in an order in which each follows those its edges come from."""
    layer = _layers(nodes, edges)
    links: dict[Edge, None] = {}
    chains: dict[Edge, list[str]] = {}
    for first, last in dict.fromkeys(edges):
        # Edges from one node share their bends, and so run as one line as far as they go together.
        chain = [f"{first}\0{at}" for at in range(layer[first] + 1, layer[last])]
        layer.update({bend: layer[first] + 1 + place for place, bend in enumerate(chain)})
        chains[first, last] = chain
        links.update(dict.fromkeys(zip([first, *chain], [*chain, last])))
    rows: list[list[str]] = [[] for _ in range(1 + max(layer.values(), default=-1))]
    for name, at in layer.items():
        rows[at].append(name)
    places = _places(_ordered(rows, list(links)), list(links), set(nodes))
    return Drawing(
        {name: (layer[name], places[name]) for name in nodes},
        {edge: [(layer[bend], places[bend]) for bend in chain] for edge, chain in chains.items()},
    )


def _layers(nodes: Sequence[str], edges: Sequence[Edge]) -> dict[str, int]:
    """One to the right of the furthest node it comes from; then right again where that makes edges shorter."""
    above: dict[str, list[str]] = defaultdict(list)
    below: dict[str, list[str]] = defaultdict(list)
    for first, last in edges:
        above[last].append(first)
        below[first].append(last)
    layer: dict[str, int] = {}
    for name in nodes:
        layer[name] = 1 + max((layer[one] for one in above[name]), default=-1)
    for name in reversed(nodes):
        if below[name] and len(above[name]) <= len(below[name]):
            layer[name] = min(layer[one] for one in below[name]) - 1
    return layer


def _ordered(rows: list[list[str]], links: Sequence[Edge]) -> list[list[str]]:
    """Sweep right and left by the mean place of neighbours; the order with the fewest crossings is kept."""
    left, right = _neighbours(links)
    best, fewest = [list(row) for row in rows], _crossings(rows, right)
    for sweep in range(SWEEPS):
        forward = sweep % 2 == 0
        places = range(1, len(rows)) if forward else range(len(rows) - 2, -1, -1)
        for at in places:
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


def _sort(row: list[str], beside: list[str], neighbours: Mapping[str, list[str]]) -> None:
    at = {name: place for place, name in enumerate(beside)}
    own = {name: float(place) for place, name in enumerate(row)}
    for name in row:
        found = [at[one] for one in neighbours.get(name, ())]
        if found:
            own[name] = sum(found) / len(found)
    row.sort(key=own.__getitem__)


def _crossings(rows: Sequence[Sequence[str]], right: Mapping[str, list[str]]) -> int:
    """Pairs of links between neighbouring layers that cross: inversions of where they end."""
    count = 0
    for row, following in pairwise(rows):
        at = {name: place for place, name in enumerate(following)}
        seen: list[int] = []
        for name in row:
            ends = sorted(at[one] for one in right.get(name, ()))
            count += sum(len(seen) - bisect_left(seen, end + 1) for end in ends)
            for end in ends:
                insort(seen, end)
    return count


def _places(rows: Sequence[Sequence[str]], links: Sequence[Edge], nodes: set[str]) -> dict[str, float]:
    """As near to the mean of the neighbours as order and room allow; bends pull hardest: long edges get straight."""
    left, right = _neighbours(links)
    room = {name: 1.0 if name in nodes else BEND for row in rows for name in row}
    places: dict[str, float] = {}
    for row in rows:
        at = 0.0
        for name in row:
            places[name] = at + room[name] / 2
            at += room[name]
    for sweep in range(SWEEPS):
        forward = sweep % 2 == 0
        for row in rows if forward else reversed(rows):
            wanted = []
            for name in row:
                beside = left[name] if forward else right[name]
                beside = beside or (right[name] if forward else left[name])
                wanted.append(sum(places[one] for one in beside) / len(beside) if beside else places[name])
            weights = [1.0 if name in nodes else 4.0 for name in row]
            places.update(zip(row, _apart(wanted, weights, [room[name] for name in row])))
    top = min((places[name] - room[name] / 2 for name in places), default=0.0)
    return {name: place - top for name, place in places.items()}


def _apart(wanted: Sequence[float], weights: Sequence[float], rooms: Sequence[float]) -> list[float]:
    """The places nearest to the wanted ones (least squares) that keep the order and give each its room.

    Pool adjacent violators: neighbours that would come too near move together, to the mean of what they want.
    """
    offsets = [0.0]
    for one, following in pairwise(rooms):
        offsets.append(offsets[-1] + (one + following) / 2)
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
