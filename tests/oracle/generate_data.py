"""Random small tables at two moments: NULLs, duplicates, nothing at all, and every kind of change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from hypothesis import strategies as st

from tests.oracle.choose import choose, number, once_in
from tests.oracle.database import Database, Source
from tests.oracle.zset import Row, Value, ZSet, bag
from trickle.delta.differentiate import SourceChange
from trickle.plan.clock import ClockCall
from trickle.plan.instant import Clock, Instants
from trickle.plan.ranges import ColumnStatistics, FileStatistics, Ranges, ranges
from trickle.plan.row_counts import RowCounts

POOLS: dict[str, tuple[Value, ...]] = {
    "int": (1, 2, None, 0, 3),
    "string": ("a", "b", None, ""),
    "decimal(10,2)": (Decimal("1.50"), Decimal("0.00"), None, Decimal("-1.50"), Decimal("2.25")),
    "boolean": (True, False, None),
}
"""Few values, so that keys meet, groups fill and rows repeat."""

SIZES = (1, 3, 4, 2, 3, 4, 0)


@dataclass(frozen=True)
class Table:
    """A source before and after, and the story of its change."""

    name: str
    types: Mapping[str, str]
    before: tuple[Row, ...]
    after: tuple[Row, ...]
    changed: bool
    """Whether the refresh is told that it changed; it may have changed back."""
    only_inserts: bool
    churn: tuple[Row, ...] = ()
    """Rows that came and went (or went and came) between the moments: in the feed, but not in the difference."""

    @property
    def difference(self) -> ZSet:
        return bag(self.after) - bag(self.before)

    def feed(self) -> list[tuple[Row, int]]:
        """The change as a feed may tell it: not consolidated."""
        churn = [(row, sign) for row in self.churn for sign in (-1, 1)]
        return [*churn, *self.difference]


@dataclass(frozen=True)
class World:
    """All tables of one example."""

    tables: tuple[Table, ...] = field(default=())
    clock: tuple[int, int] = (0, 0)
    """What the clock said at the last refresh and what it says now, in seconds."""

    @property
    def database(self) -> Database:
        return Database(
            {one.name: Source(tuple(one.types), bag(one.before), bag(one.after)) for one in self.tables},
            clock=self.clock,
        )

    @property
    def instants(self) -> Clock:
        """The same as the engine is told it."""
        before, after = (Instants(seconds * 1000, seconds * 1000, "UTC") for seconds in self.clock)
        return Clock(before, after)

    @property
    def changed_calls(self) -> frozenset[ClockCall]:
        """What is asked of the clock and has another answer now."""
        return self.instants.changed_calls([ClockCall("unix_timestamp", shown) for shown in (True, False)])

    @property
    def changed(self) -> dict[str, SourceChange]:
        return {one.name: SourceChange(one.only_inserts) for one in self.tables if one.changed}

    @property
    def counts(self) -> RowCounts:
        """How many rows the log counts."""
        tables = {one.name: len(one.after) for one in self.tables}
        return RowCounts(tables, {one.name: len(one.feed()) for one in self.tables})

    @property
    def statistics(self) -> dict[str, ColumnStatistics]:
        """Statistics as narrow as the truth allows, of sources whose files seem to hold nothing: every literal pays."""
        return {one.name: _spread(one) for one in self.tables}

    @property
    def at_rest(self) -> World:
        """The tables as they are now, with nothing happening."""
        resting = tuple(replace(one, before=one.after, changed=False, churn=()) for one in self.tables)
        return World(resting, (self.clock[1], self.clock[1]))

    def until(self, later: World) -> World:
        """This change and a later one of the same tables, told as one."""
        pairs = zip(self.tables, later.tables)
        return World(tuple(_together(one, other) for one, other in pairs), (self.clock[0], later.clock[1]))


def behind(table: Table) -> Table:
    """The same where the keys of the rows that come are greater than all others."""
    if not table.only_inserts:
        return table
    keyed = [(100 + int(row[0] or 0), *row[1:]) for row, weight in table.difference for _ in range(weight)]
    return replace(table, after=(*table.before, *keyed))


def _spread(table: Table) -> ColumnStatistics:
    changed = _ranges(table, [row for row, _ in table.feed()]) if table.changed else {}
    # Without bytes, so that it is no reason to leave out or to read anything.
    added = [row for row, weight in table.difference for _ in range(weight)]
    told = [FileStatistics(0, _ranges(table, list(rows)), rows=len(rows)) for rows in (table.before, added)]
    return ColumnStatistics(changed, (FileStatistics(1, rows=0), *(told if table.only_inserts else ())))


def _ranges(table: Table, rows: Sequence[Row]) -> dict[str, Ranges]:
    columns = {}
    for place, (name, kind) in enumerate(table.types.items()):
        if kind in ("int", "decimal(10,2)"):
            values = {row[place] for row in rows}
            singles = [(value, value) for value in values if isinstance(value, (int, Decimal))]
            columns[name] = ranges(singles, None in values)
    return columns


def _together(one: Table, later: Table) -> Table:
    inserts = [table.only_inserts or not table.changed for table in (one, later)]
    return replace(
        one,
        after=later.after,
        changed=one.changed or later.changed,
        only_inserts=all(inserts),
        churn=(*one.churn, *later.churn),
    )


@st.composite
def later_worlds(draw: st.DrawFn, world: World) -> World:
    """What happens to the same tables next."""
    kinds = kinds_of_change(draw)
    changed = tuple(draw(tables(one.name, one.types, one.after, kinds)) for one in world.tables)
    return World(changed, (world.clock[1], _later(draw, world.clock[1])))


def _later(draw: st.DrawFn, before: int) -> int:
    """What the clock says next: most often the same."""
    return before + choose(draw, (0, 1, 0, 2, 0))


def kinds_of_change(draw: st.DrawFn) -> Sequence[str]:
    """Now and then a world in which everything is appended: what the cheapest strategies are for."""
    return APPENDS if once_in(draw, 3) else KINDS


def rows(draw: st.DrawFn, types: Mapping[str, str], most: int = 4) -> list[Row]:
    """A small bag, in which a row often occurs again."""
    found: list[Row] = []
    for _ in range(min(most, choose(draw, SIZES))):
        again = bool(found) and once_in(draw, 4)
        found.append(choose(draw, found) if again else tuple(choose(draw, POOLS[kind]) for kind in types.values()))
    return found


KINDS = ("update", "insert", "delete", "nothing", "anything", "vanish", "return", "touched", "update", "anything")
APPENDS = ("insert", "insert", "nothing")


@st.composite
def tables(
    draw: st.DrawFn,
    name: str,
    types: Mapping[str, str],
    before: Sequence[Row] | None = None,
    kinds: Sequence[str] = KINDS,
) -> Table:
    """A table whose change is of one of the kinds; 'nothing' makes the Empty leaves that pruning is for."""
    kind = choose(draw, kinds)
    before = list(rows(draw, types) if before is None else before)
    after = _after(draw, kind, before, types)
    churn: list[Row] = rows(draw, types, 2) if kind == "return" else []
    only_inserts = kind == "insert" and not once_in(draw, 3)
    return Table(name, types, tuple(before), tuple(after), kind != "nothing", only_inserts, tuple(churn))


def _after(draw: st.DrawFn, kind: str, before: list[Row], types: Mapping[str, str]) -> list[Row]:
    match kind:
        case "nothing" | "touched" | "return":
            return before
        case "vanish":
            return []
        case "insert":
            return [*before, *rows(draw, types, 2)]
        case "anything":
            return rows(draw, types)
    kept = [row for row in before if once_in(draw, 2)]
    if kind == "delete":
        return kept
    return [*kept, *rows(draw, types, min(3, len(before) - len(kept)))]


@st.composite
def worlds(draw: st.DrawFn, least: int = 1, most: int = 3, kinds: Sequence[str] = ()) -> World:
    """One to `most` sources s1, s2, …, each with an integer key and one or two more columns."""
    kinds = kinds or kinds_of_change(draw)
    count = number(draw, least, most)
    found = []
    for place in range(1, count + 1):
        others = [choose(draw, list(POOLS)) for _ in range(number(draw, 1, 2))]
        types = {"k": "int", **{f"x{number}": kind for number, kind in enumerate(others, 1)}}
        found.append(draw(tables(f"s{place}", types, kinds=kinds)))
    before = number(draw, 0, 1)
    return World(tuple(found), (before, _later(draw, before)))
