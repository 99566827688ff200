"""What a refresh reads when one of many sources changed: no more than it must."""

from __future__ import annotations

from trickle import Column, Name, Options, Relation, Table, compile_view
from trickle.delta.differentiate import SourceChange
from trickle.delta.passes import PASSES, change_to_apply
from trickle.explain import reads
from trickle.operators import Empty, Feed, Moment, Scan
from trickle.plan.op import walk

NAMES = "abcdefgh"
TABLES: dict[Name, Relation] = {
    ("s", name): Table(("s", name), (Column("id", "int"), Column("k", "int"), Column("x", "int"))) for name in NAMES
}
EIGHT = """SELECT a.id, b.x FROM s.a JOIN s.b ON b.id = a.k
UNION ALL SELECT c.id, d.x FROM s.c LEFT JOIN s.d ON d.id = c.k
UNION ALL SELECT e.id, e.x FROM s.e WHERE EXISTS (SELECT 1 FROM s.f WHERE f.id = e.k)
UNION ALL SELECT id, SUM(x) FROM (SELECT id, x FROM s.g UNION ALL SELECT id, x FROM s.h) AS u GROUP BY id"""
PARTNERS = {"a": "b", "b": "a", "c": "d", "d": "cd", "e": "f", "f": "ef", "g": "gh", "h": "gh"}
"""Which tables must be looked at beside the feed of each."""


def test_one_of_eight_sources_is_all_that_moves() -> None:
    """Branches that do not read it are gone; its partners are read, and it itself only where a match is judged again."""
    view = compile_view(EIGHT, TABLES.get)
    for changed in NAMES:
        delta = change_to_apply(view.layout, view.plan, {f"s.{changed}": SourceChange()}).delta
        leaves = [op for op in walk(delta) if isinstance(op, (Feed, Scan))]

        assert {op.source for op in leaves if isinstance(op, Feed)} == {f"s.{changed}"}
        assert {op.source for op in leaves if isinstance(op, Scan)} == {f"s.{one}" for one in PARTNERS[changed]}
        before = {op.source for op in leaves if isinstance(op, Scan) and op.at is Moment.BEFORE}
        assert before <= {f"s.{changed}"}


def test_nothing_is_left_of_a_change_elsewhere() -> None:
    """A table that the query does not read moves nothing."""
    view = compile_view(EIGHT, TABLES.get)

    assert isinstance(change_to_apply(view.layout, view.plan, {"s.z": SourceChange()}).delta, Empty)


def test_explain_tells_what_is_read_and_by_which_keys() -> None:
    """The partner of an equality is looked up by it; without the pass, it is read whole."""
    query = "SELECT a.id, b.x FROM s.a JOIN s.b ON b.id = a.k"
    view = compile_view(query, TABLES.get)
    plain = compile_view(query, TABLES.get, None, Options(disabled_rewrites=frozenset({"bound_scans"})))

    assert reads(view) == ["when s.a changes: its changes, s.b by id", "when s.b changes: its changes, s.a by k"]
    assert reads(plain) == ["when s.a changes: its changes, s.b", "when s.b changes: its changes, s.a"]


def test_every_pass_can_be_switched_off() -> None:
    """Without any of them the plan is that of the bare rules, and its columns are the same."""
    view = compile_view(EIGHT, TABLES.get)
    names = frozenset(name for name, _ in PASSES)
    changed = {"s.d": SourceChange()}
    bare = change_to_apply(view.layout, view.plan, changed, None, names).delta
    tidy = change_to_apply(view.layout, view.plan, changed).delta

    assert len(walk(bare)) > len(walk(tidy))
    assert bare.schema.names == tidy.schema.names
