"""maintenance_reads: the class of each kind of view, and that it is true of the rows that a refresh handles."""

from __future__ import annotations

import pytest

from tests.facts import compiled, explained
from tests.oracle.database import Database, Source
from tests.oracle.interpret import Interpreter
from tests.oracle.zset import Row, ZSet, bag
from trickle import Column, CompiledView, Name, Options, Relation, Table
from trickle.delta.differentiate import SourceChange
from trickle.delta.passes import change_to_apply
from trickle.operators import (
    Accumulate,
    Aggregate,
    Consolidate,
    Distinct,
    Join,
    MarkJoin,
    OuterJoin,
    Restrict,
    SemiJoin,
    TopK,
    TouchedKeys,
    Window,
)
from trickle.plan.op import Op, walk
from trickle.plan.read_class import ReadClass
from trickle.planning.maintenance_reads import maintenance_reads

COLUMNS = ("id", "k", "x")
TABLES: dict[Name, Relation] = {
    ("s", name): Table(("s", name), tuple(Column(column, "int") for column in COLUMNS)) for name in "abc"
}
CLOCKED: dict[Name, Relation] = {("s", "a"): Table(("s", "a"), (Column("id", "int"), Column("d", "date")))}

BY_CHANGE = {
    "SELECT id, x + 1 AS y FROM s.a WHERE x > 0": (),
    "SELECT id, x FROM s.a UNION ALL SELECT id, k FROM s.b": (),
    "SELECT a.id, b.x, c.x AS z FROM s.a JOIN s.b ON b.id = a.k JOIN s.c ON c.id = b.k": (),
    "SELECT a.id, o.id AS other FROM s.a JOIN s.a AS o ON o.id = a.k": (),
    # Groups whose states take every change.
    "SELECT k, COUNT(*) AS n, SUM(x) AS total FROM s.a GROUP BY k": (),
    "SELECT DISTINCT k, x FROM s.a": (),
    "SELECT COUNT(*) AS n FROM s.a": (),
    "SELECT a.k, COUNT(b.x) AS n FROM s.a JOIN s.b ON b.id = a.k GROUP BY a.k HAVING COUNT(b.x) > 1": (),
    # The first rows, and columns computed from stored groups.
    "SELECT id, x FROM s.a ORDER BY x LIMIT 5": ("everything, once the 100 spare rows are used up",),
    "SELECT k, COUNT(*) AS n FROM s.a GROUP BY k ORDER BY n DESC LIMIT 3": ("all of its own stored groups",),
    "SELECT k, COUNT(*) AS n, RANK() OVER (ORDER BY COUNT(*)) AS r FROM s.a GROUP BY k": (
        "all of its own stored groups",
    ),
}
BY_KEY = {
    # A group whose extreme was removed, and aggregates without states.
    "SELECT k, MIN(x) AS low FROM s.a GROUP BY k": ("s.a by k",),
    "SELECT k, COUNT(DISTINCT x) AS n FROM s.a GROUP BY k": ("s.a by k",),
    "SELECT a.k, MAX(b.x) AS m FROM s.a JOIN s.b ON b.id = a.x GROUP BY a.k": ("s.a by k", "s.b by id"),
    "SELECT k, MAX(x) AS m, RANK() OVER (ORDER BY MAX(x)) AS r FROM s.a GROUP BY k": (
        "s.a by k",
        "all of its own stored groups",
    ),
    "SELECT id, n FROM s.a JOIN (SELECT k AS g, COUNT(*) AS n FROM s.b GROUP BY k) t ON t.g = a.k": ("s.b by k",),
    "SELECT id, ROW_NUMBER() OVER (PARTITION BY k ORDER BY x, id) AS r FROM s.a": ("s.a by k",),
    # Matches are asked for again.
    "SELECT a.id, b.x FROM s.a LEFT JOIN s.b ON b.id = a.k": ("s.a by k", "s.b by id"),
    "SELECT a.id, b.x FROM s.a FULL JOIN s.b ON b.id = a.k": ("s.a by k", "s.b by id"),
    "SELECT id FROM s.a WHERE EXISTS (SELECT 1 FROM s.b WHERE b.id = a.k)": ("s.a by k", "s.b by id"),
    "SELECT id FROM s.a WHERE k IN (SELECT id FROM s.b)": ("s.a by k", "s.b by id"),
    "SELECT id FROM s.a WHERE NOT EXISTS (SELECT 1 FROM s.b WHERE b.id = a.k)": ("s.a by k", "s.b by id"),
    "SELECT id, EXISTS (SELECT 1 FROM s.b WHERE b.id = a.k) AS m FROM s.a": ("s.a by k", "s.b by id"),
    # The first of groups without states.
    "SELECT k, MAX(x) AS m FROM s.a GROUP BY k ORDER BY m LIMIT 3": (
        "s.a by k",
        "everything, once the 100 spare rows are used up",
    ),
}
WHOLE = {
    "SELECT MIN(x) AS low FROM s.a": ("all of s.a",),
    "SELECT COUNT(DISTINCT x) AS n FROM s.a": ("all of s.a",),
    "SELECT id, x FROM s.a WHERE x > (SELECT AVG(x) FROM s.b)": ("all of s.a", "all of s.b"),
    "SELECT id, r FROM s.b JOIN (SELECT k, x AS r FROM s.a ORDER BY x LIMIT 3) t ON t.k = b.id": ("all of s.a",),
    "SELECT SUM(n) AS n FROM (SELECT COUNT(*) AS n FROM s.a UNION ALL SELECT x AS n FROM s.b)": ("all of s.a",),
    "SELECT id FROM s.a WHERE EXISTS (SELECT 1 FROM s.b)": ("all of s.a", "all of s.b"),
    # A join that is computed as a whole before anything is compared with touched keys.
    "SELECT a.x, b.x AS y, MIN(b.k) AS low FROM s.a JOIN s.b ON b.id = a.k GROUP BY a.x, b.x": (
        "all of s.a",
        "all of s.b",
    ),
    "SELECT a.id FROM s.a JOIN s.b ON b.id = a.k WHERE EXISTS (SELECT 1 FROM s.c WHERE c.id = a.x AND c.k = b.x)": (
        "all of s.a",
        "all of s.b",
        "s.c by id and k",
    ),
}
RANDOM = "SELECT id, RAND() AS r FROM s.a"


def view(query: str) -> CompiledView:
    return compiled(query, TABLES.get)


CLASSES = {
    **dict.fromkeys(BY_CHANGE, ReadClass.BY_CHANGE),
    **dict.fromkeys(BY_KEY, ReadClass.BY_KEY),
    **dict.fromkeys(WHOLE, ReadClass.WHOLE),
}
AGAIN = {**BY_CHANGE, **BY_KEY, **WHOLE}


@pytest.mark.parametrize("query", CLASSES)
def test_a_view_has_the_class_of_the_worst_of_its_sources(query: str) -> None:
    """With what is read again, the most first."""
    maintenance = maintenance_reads(view(query))

    assert maintenance.read_class is CLASSES[query]
    assert maintenance.again == AGAIN[query]


@pytest.mark.parametrize("query", [query for query, own in CLASSES.items() if own is not ReadClass.WHOLE])
def test_rows_that_no_change_meets_cost_nothing(query: str) -> None:
    """By change and by key: what joins make and groupings read stays the same however many other rows there are."""
    assert handled(view(query), others=40) == handled(view(query), others=0)


@pytest.mark.parametrize("query", WHOLE)
def test_what_is_whole_grows_with_its_tables(query: str) -> None:
    """A class that called such a view cheaper would not be true."""
    assert handled(view(query), others=40) > handled(view(query), others=0)


@pytest.mark.parametrize(
    ("query", "read_class", "again"),
    [
        ("SUM(x) OVER (ORDER BY id)", ReadClass.BY_KEY, "its own rows, from the first place that changed on"),
        ("LAG(x) OVER (ORDER BY id)", ReadClass.BY_KEY, "its own rows, from the first place that changed to the last"),
        ("NTILE(4) OVER (ORDER BY id)", ReadClass.WHOLE, "all of its own rows"),
    ],
)
def test_a_series_reads_its_own_rows_again(query: str, read_class: ReadClass, again: str) -> None:
    """As many as its windows need: its neighbours, those behind the change, or all of them."""
    maintenance = maintenance_reads(view(f"SELECT id, {query} AS w FROM s.a"))

    assert (maintenance.read_class, maintenance.again) == (read_class, (again,))


@pytest.mark.parametrize(
    ("query", "read_class", "again"),
    [
        ("SELECT id FROM s.a WHERE d > CURRENT_DATE()", ReadClass.BY_KEY, ("s.a by d",)),
        ("SELECT d, COUNT(*) AS n FROM s.a WHERE d > CURRENT_DATE() GROUP BY d", ReadClass.BY_KEY, ("s.a by d",)),
        ("SELECT id, DATEDIFF(CURRENT_DATE(), d) AS age FROM s.a", ReadClass.WHOLE, ("all of s.a",)),
    ],
)
def test_the_clock_is_a_source_as_well(query: str, read_class: ReadClass, again: tuple[str, ...]) -> None:
    """Rows that come and go with time are found by their date; what shows the time is computed for every row."""
    maintenance = maintenance_reads(compiled(query, CLOCKED.get))

    assert (maintenance.read_class, maintenance.again) == (read_class, again)


def test_what_is_not_maintained_is_a_recompute() -> None:
    """Also where it is refused; a query that is invalid has no class."""
    assert maintenance_reads(view(RANDOM)).read_class is ReadClass.RECOMPUTE
    assert explained(RANDOM, TABLES.get).read_class is ReadClass.RECOMPUTE
    assert explained("SELECT nothing FROM s.a", TABLES.get).read_class is None


def test_a_pass_that_is_switched_off_is_missed() -> None:
    """The class is that of the plan that would run."""
    query = "SELECT g.k, n FROM (SELECT k, x, COUNT(*) AS n FROM s.a GROUP BY k, x) g JOIN s.b ON b.id = g.k"
    without = Options(disabled_rewrites=frozenset({"push_restrictions"}))

    assert maintenance_reads(view(query)).read_class is ReadClass.BY_KEY
    assert maintenance_reads(compiled(query, TABLES.get, None, without)).read_class is ReadClass.WHOLE


def handled(own: CompiledView, others: int) -> int:
    """The rows that joins make and that groupings read in the plan of each change, in tables with other rows beside."""
    database = Database({f"s.{name}": Source(COLUMNS, *moments(others)) for name in "abc"})
    plans: list[Op] = []
    for source in own.sources:
        change = change_to_apply(own.maintained, {source.name: SourceChange()})
        plans += [change.delta, *own.layout.read_again(change, {})]
    return sum(rows_of(plan, database) for plan in plans)


def moments(others: int) -> tuple[ZSet, ZSet]:
    """A table before and after: one row was removed and one added. The other rows meet each other, and nothing else."""
    rows: list[Row] = [(1, 1, 1), (2, 1, 2), (3, 2, 2), (4, 2, 1)]
    same: list[Row] = [(number, number, number) for number in range(1000, 1000 + others)]
    return bag([*rows, *same]), bag([*rows[1:], (5, 1, 3), *same])


def rows_of(plan: Op, database: Database) -> int:
    interpreter = Interpreter(database)
    total = 0
    for op in walk(plan):
        match op:
            case Join() | SemiJoin() | MarkJoin() | OuterJoin() | Restrict():
                total += len(interpreter.rows(op))
            case Accumulate() | Aggregate() | Consolidate() | Distinct() | TopK() | TouchedKeys() | Window():
                total += len(interpreter.rows(op.child))
            case _:
                pass
    return total
