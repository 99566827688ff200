"""What a refresh reads when one of many sources changed: no more than it must."""

from __future__ import annotations

from tests.facts import compiled
from trickle import Column, Name, Options, Relation, Table
from trickle.delta.differentiate import SourceChange
from trickle.delta.passes import PASSES, change_to_apply
from trickle.operators import Empty, Feed, Moment, Scan
from trickle.plan.op import walk
from trickle.planning.explain import reads

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
    """Branches without it are gone; its partners are read, and it itself only where a match is judged again."""
    view = compiled(EIGHT, TABLES.get)
    for changed in NAMES:
        delta = change_to_apply(view.maintained, {f"s.{changed}": SourceChange()}).delta
        leaves = [op for op in walk(delta) if isinstance(op, (Feed, Scan))]

        assert {op.source for op in leaves if isinstance(op, Feed)} == {f"s.{changed}"}
        assert {op.source for op in leaves if isinstance(op, Scan)} == {f"s.{one}" for one in PARTNERS[changed]}
        before = {op.source for op in leaves if isinstance(op, Scan) and op.at is Moment.BEFORE}
        assert before <= {f"s.{changed}"}


WIDE = (
    *(Column(name, "int") for name in ("id", "k", "x")),
    Column("t", "string"), Column("d", "date"), Column("big", "bigint"), Column("p", "decimal(10,2)"),
)  # fmt: skip
SHAPES = {
    # What a pair must equal, in either direction; what is asked again is asked by the same keys.
    "SELECT a.id, b.x FROM s.a JOIN s.b ON b.big = a.k AND b.d <=> a.d": ("b by big and d", "a by d and k"),
    "SELECT a.id, b.x FROM s.a JOIN s.b ON b.p = a.p": ("b by p", "a by p"),
    "SELECT a.id, b.x FROM s.a LEFT JOIN s.b ON b.id = a.k": ("b by id", "a by k, b by id"),
    "SELECT a.id, b.x FROM s.a FULL JOIN s.b ON b.id = a.k": ("a by k, b by id", "a by k, b by id"),
    "SELECT a.id FROM s.a WHERE EXISTS (SELECT 1 FROM s.b WHERE b.id = a.k)": ("b by id", "a by k, b by id"),
    "SELECT a.id FROM s.a WHERE NOT EXISTS (SELECT 1 FROM s.b WHERE b.id = a.k)": ("b by id", "a by k, b by id"),
    "SELECT a.id, EXISTS (SELECT 1 FROM s.b WHERE b.id = a.k) AS m FROM s.a": ("b by id", "a by k, b by id"),
    # Through whatever stands between the join and the scan.
    "SELECT a.id, g.n FROM s.a JOIN (SELECT k, COUNT(*) AS n FROM s.b GROUP BY k) g ON g.k = a.k": (
        "b by k", "a by k, b by k"),
    "SELECT a.id, n FROM s.a JOIN (SELECT RANK() OVER (PARTITION BY k ORDER BY id) AS n, k FROM s.b) g ON g.k = a.k": (
        "b by k", "a by k, b by k"),
    "SELECT a.id, g.id AS o FROM s.a JOIN (SELECT DISTINCT id, k FROM s.b) g ON g.k = a.k": (
        "b by k", "a by k, b by id and k"),
    "SELECT a.id, g.x FROM s.a JOIN (SELECT k, x FROM s.b UNION ALL SELECT id, x FROM s.c) g ON g.k = a.k": (
        "b by k, c by id", "a by k", "a by k"),
    "SELECT a.id, e FROM s.a JOIN (SELECT k, EXPLODE(ARRAY(x, id)) AS e FROM s.b WHERE x > 1) g ON g.k = a.k": (
        "b by k", "a by k"),
    # From one join to the next.
    "SELECT a.id, c.x FROM s.a JOIN s.b ON b.id = a.k JOIN s.c ON c.id = b.id": (
        "b by id, c by id", "a by k, c by id", "a by k, b by id"),
    # Groups that are computed again.
    "SELECT k, MAX(x) AS m FROM s.a GROUP BY k": ("a by k",),
    "SELECT a.k, COUNT(DISTINCT b.x) AS n FROM s.a JOIN s.b ON b.id = a.k GROUP BY a.k": (
        "a by k, b by id", "a by k, b by id"),
    "SELECT k, n, COUNT(*) AS c FROM (SELECT k, x, COUNT(*) AS n FROM s.a GROUP BY k, x) g GROUP BY k, n": (
        "a by k and x",),
    # Texts, different types and inequalities say nothing of where to look.
    "SELECT a.id, b.x FROM s.a JOIN s.b ON b.t = a.t": ("b", "a"),
    "SELECT a.id, b.x FROM s.a JOIN s.b ON b.p = a.k": ("b", "a"),
    "SELECT a.id, b.x FROM s.a JOIN s.b ON b.id > a.k": ("b", "a"),
}  # fmt: skip
"""Query → what is read beside its changes when a changes, when b does, and when c does."""


def test_each_shape_is_read_by_its_keys() -> None:
    """Too few keys would be a wrong table, which the laws find; too many a slow one, which nothing else would."""
    tables: dict[Name, Relation] = {("s", name): Table(("s", name), WIDE) for name in NAMES}
    for query, expected in SHAPES.items():
        told = sorted(reads(compiled(query, tables.get)))

        shown = [line.replace("s.", "").partition("its changes, ")[2] for line in told]
        assert tuple(shown) == expected, query


def test_nothing_is_left_of_a_change_elsewhere() -> None:
    """A table that the query does not read moves nothing."""
    view = compiled(EIGHT, TABLES.get)

    assert isinstance(change_to_apply(view.maintained, {"s.z": SourceChange()}).delta, Empty)


def test_explain_tells_what_is_read_and_by_which_keys() -> None:
    """The partner of an equality is looked up by it; without the pass, it is read whole."""
    query = "SELECT a.id, b.x FROM s.a JOIN s.b ON b.id = a.k"
    view = compiled(query, TABLES.get)
    plain = compiled(query, TABLES.get, None, Options(disabled_rewrites=frozenset({"bound_scans"})))

    assert reads(view) == ["when s.a changes: its changes, s.b by id", "when s.b changes: its changes, s.a by k"]
    assert reads(plain) == ["when s.a changes: its changes, s.b", "when s.b changes: its changes, s.a"]


def test_every_pass_can_be_switched_off() -> None:
    """Without any of them the plan is that of the bare rules, and its columns are the same."""
    view = compiled(EIGHT, TABLES.get)
    names = frozenset(name for name, _ in PASSES)
    changed = {"s.d": SourceChange()}
    bare = change_to_apply(view.maintained, changed, None, names).delta
    tidy = change_to_apply(view.maintained, changed).delta

    assert len(walk(bare)) > len(walk(tidy))
    assert bare.schema.names == tidy.schema.names
