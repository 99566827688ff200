"""Circles and the way round them."""

from __future__ import annotations

from trickle.graph.circle import find_circle


def test_the_shortest_way_round_is_found() -> None:
    """Both ends are the node asked about."""
    reads = {"a": ["b", "c"], "b": ["d"], "c": ["a"], "d": ["a"]}

    assert find_circle("a", reads) == ("a", "c", "a")
    assert find_circle("d", reads) == ("d", "a", "b", "d")


def test_a_node_that_reads_itself() -> None:
    """The smallest circle."""
    assert find_circle("a", {"a": ["a"]}) == ("a", "a")


def test_a_diamond_is_no_circle() -> None:
    """And a circle further up is not the node's own."""
    assert find_circle("a", {"a": ["b", "c"], "b": ["d"], "c": ["d"]}) is None
    assert find_circle("a", {"a": ["b"], "b": ["c"], "c": ["b"]}) is None
