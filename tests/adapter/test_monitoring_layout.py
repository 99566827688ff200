"""Text tables fit their terminal, and a DAG is drawn in layers that do not overlap."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from dbt.adapters.trickle.monitoring.layers import BEND, drawn
from dbt.adapters.trickle.monitoring.short_numbers import moment, rows, share, size, span
from dbt.adapters.trickle.monitoring.text_table import TextColumn, display_width, shortened, text_table

NAMES = ("a_rather_long_name_of_a_table_that_says_it_all", "b")


def example(width: int | None) -> list[str]:
    return text_table(
        [
            TextColumn("NAME", NAMES, shortens=True, ends=True),
            TextColumn("STATE", ["behind", "fresh"]),
            TextColumn("EMPTY", ["·", ""], rank=1),
            TextColumn("ROWS", ["1", "22,000"], right=True, rank=2),
            TextColumn("SIZE", ["1 kB", "22 MB"], right=True, rank=3),
        ],
        width,
    )


def test_everything_is_shown_where_there_is_room() -> None:
    """Titles, right-aligned numbers, no empty column, and no trailing blanks."""
    head, first, second = example(None)

    assert head.split() == ["NAME", "STATE", "ROWS", "SIZE"]
    assert first.split() == [NAMES[0], "behind", "1", "1", "kB"]
    assert second.endswith("fresh   22,000  22 MB")
    assert first == first.rstrip()


@pytest.mark.parametrize("width", range(30, 100))
def test_lines_fit_the_terminal(width: int) -> None:
    """Dropped columns are named; names are shortened in the middle first."""
    lines = example(width)

    head, first, _ = lines[:3]
    assert max(map(display_width, lines[:3])) <= width
    assert "NAME" in head and "STATE" in head
    assert first.startswith("a_") and first.split()[0].endswith("all")
    for title in ("ROWS", "SIZE"):
        assert (title in head) != any(title.lower() in line for line in lines[3:])


def test_wide_characters_take_two_columns() -> None:
    """Columns stay aligned under names that are not Latin."""
    lines = text_table([TextColumn("N", ["日本", "ab"]), TextColumn("X", ["1", "1"])], None)

    assert lines == ["N     X", "日本  1", "ab    1"]


def test_a_name_keeps_both_ends() -> None:
    assert shortened("revenue_by_customer_and_day", 15) == "revenue…and_day"
    assert shortened("short", 15) == "short"
    assert shortened("orders 11→12, customers 3", 15, ends=False) == "orders 11→12, …"


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [
        (0, "0"), (999, "0"), (1_000, "1s"), (59_999, "59s"), (60_000, "1m"), (200_000, "3m 20s"), (660_000, "11m"),
        (7_200_000, "2h"), (7_260_000, "2h 1m"), (90_000_000, "1d 1h"), (40 * 86_400_000, "40d"), (None, "?"),
    ],
)  # fmt: skip
def test_spans(milliseconds: int | None, text: str) -> None:
    assert span(milliseconds) == text


def test_numbers() -> None:
    """Short, and right at the edges."""
    assert [size(count) for count in (0, 999, 1000, 9_949, 9_950, 999_499, 999_500, None)] == [
        "0 B", "999 B", "1.0 kB", "9.9 kB", "10 kB", "999 kB", "1.0 MB", "·",
    ]  # fmt: skip
    assert [rows(count) for count in (0, 6_334, 99_999, 100_000, 2_000_000, None)] == [
        "0", "6,334", "99,999", "100k", "2.0M", "·",
    ]  # fmt: skip
    assert (share(0.126), share(None)) == ("13%", "·")
    assert moment(1_795_052_597_973, "Europe/Berlin") == "2026-11-19 02:43:17"


def test_a_chain_is_a_straight_line() -> None:
    """One layer per node, at one height; a node without sources is next to its reader."""
    drawing = drawn(["a", "b", "late", "c"], [("a", "b"), ("b", "c"), ("late", "c")])

    assert {name: layer for name, (layer, _) in drawing.nodes.items()} == {"a": 0, "b": 1, "c": 2, "late": 1}
    assert drawing.nodes["a"][1] == drawing.nodes["b"][1]


@pytest.mark.parametrize("seed", range(12))
def test_no_two_boxes_overlap(seed: int) -> None:
    """Edges go right with a bend in every layer between, boxes do not overlap, and the drawing is deterministic."""
    chance = random.Random(seed)
    names = [f"n{place}" for place in range(chance.choice((1, 2, 5, 40, 120)))]
    edges = [
        (names[chance.randrange(place)], names[place])
        for place in range(1, len(names))
        for _ in range(chance.choice((0, 1, 2, 3)))
    ]

    drawing = drawn(names, edges)

    for first, last in edges:
        begin, end = drawing.nodes[first][0], drawing.nodes[last][0]
        assert [layer for layer, _ in drawing.bends[first, last]] == list(range(begin + 1, end))
        assert begin < end
    for layer in range(drawing.layers):
        boxes = [(place, 1.0) for at, place in drawing.nodes.values() if at == layer]
        bends = {spot for chain in drawing.bends.values() for spot in chain if spot[0] == layer}
        ordered = sorted([*boxes, *((place, BEND) for _, place in bends)])
        for (place, room), (after, more) in pairwise(ordered):
            assert after - place >= (room + more) / 2 - 1e-6
        assert all(0.5 - 1e-6 <= place <= drawing.height for place, _ in boxes)
    assert drawn(names, edges) == drawing


def test_avoidable_crossings_are_avoided() -> None:
    """Two crossing pairs are drawn side by side."""
    drawing = drawn(["a", "b", "x", "y"], [("a", "y"), ("b", "x")])

    above = drawing.nodes["a"][1] < drawing.nodes["b"][1]
    assert (drawing.nodes["y"][1] < drawing.nodes["x"][1]) == above
