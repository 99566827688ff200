"""Maker: draws one operator after the other, each over what was made before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from hypothesis import strategies as st

from tests.oracle import generate_scalars as scalars
from tests.oracle.choose import choose, number, once_in
from tests.oracle.generate_data import Table, World
from tests.oracle.generate_recursions import recursion
from tests.oracle.generate_windows import KINDS, ordered, windowed
from trickle.operators import (
    Aggregate,
    Distinct,
    Empty,
    Explode,
    Filter,
    Join,
    MarkJoin,
    Ordering,
    OuterJoin,
    Project,
    Scan,
    SemiJoin,
    SourceColumn,
    TopK,
    UnionAll,
    Values,
    Window,
)
from trickle.operators.project import renaming
from trickle.plan.op import Op
from trickle.plan.scalar import Named, column_scalar
from trickle.plan.schema import Column, Schema

MOST_ROWS = 700
"""Joins that could make more rows than this are not drawn: the oracle loops over every pair."""


@dataclass
class Maker:
    """Builds one plan; remembers what it made, to use some of it twice."""

    draw: st.DrawFn
    world: World
    made: list[Op] = field(default_factory=list)
    names: int = 0
    rows: dict[int, int] = field(default_factory=dict)
    """The most rows a made plan can have, duplicates counted."""

    def plan(self, size: int) -> Op:
        """A plan of `size` operators, leaves and renamings not counted."""
        if self.made and once_in(self.draw, 6):
            return self.pick(self.made)
        op = self.leaf() if size <= 0 else self.inner(size - 1)
        self.made.append(op)
        return op

    def pick(self, options: list[Op]) -> Op:
        return choose(self.draw, options)

    def leaf(self) -> Op:
        kind = number(self.draw, 0, 19)
        if kind == 19:
            return self.nothing()
        if kind >= 18:
            return self.sized(self.values(), 2)
        table = choose(self.draw, self.world.tables)
        return self.sized(scan(table), max(len(table.before), len(table.after)))

    def nothing(self) -> Op:
        return self.sized(Empty(Schema((Column("k", "int"), Column("x1", "string")))), 0)

    def values(self) -> Values:
        columns = (Column("k", "int"), Column("x1", "string"))
        options = {"int": ("0", "1", "CAST(NULL AS INT)"), "string": ("'a'", "'b'", "CAST(NULL AS STRING)")}
        rows = [
            tuple(scalars.scalar(choose(self.draw, options[column.type])) for column in columns)
            for _ in range(number(self.draw, 1, 2))
        ]
        return Values(columns, tuple(rows))

    def inner(self, size: int) -> Op:
        kinds = (
            "filter",
            "project",
            "union",
            "join",
            "join",
            "join",
            "aggregate",
            "aggregate",
            "global",
            "distinct",
            "window",
            "first",
            "explode",
        )
        match choose(self.draw, kinds):
            case "union":
                return self.union(*self.two(size))
            case "join":
                return self.join(*self.two(size))
            case kind:
                return self.unary(kind, self.plan(size))

    def first(self, child: Op) -> Op:
        """The first rows by a column or two, projected now and then: orders that are not shown."""
        names = list(child.schema.names)
        order = [Ordering(self.pick_name(names), once_in(self.draw, 2), once_in(self.draw, 2)) for _ in range(2)]
        order = order[: 1 if order[0].column == order[1].column else 2]
        limit, offset = number(self.draw, 1, 3), number(self.draw, 0, 1)
        op: Op = self.sized(TopK(child, tuple(order), limit, offset), limit)
        if once_in(self.draw, 3):
            kept = choose(self.draw, names)
            op = self.sized(Project(op, (Named(self.fresh(), column_scalar(kept)),)), limit)
        return op

    def pick_name(self, names: list[str]) -> str:
        return choose(self.draw, names)

    def groups(self, child: Op) -> Op:
        """A grouping with several measures, filtered and projected now and then: HAVING and hidden keys."""
        types = typed(child)
        keys = self.named(types, 2, scalars.value) if not once_in(self.draw, 3) else ()
        op: Op = self.sized(Aggregate(child, keys, self.named(types, 4, scalars.measure)), self.rows[id(child)])
        for kind in ("filter", "project"):
            if once_in(self.draw, 4):
                op = self.unary(kind, op)
        return op

    def recursion(self, anchor: Op, other: Op) -> Op:
        """Rows made of rows, two rounds at most."""
        begin, each = self.rows[id(anchor)], self.rows[id(other)] + 2
        size = begin * (1 + each + each * each)
        return self.sized(recursion(self, anchor, other), size) if size <= MOST_ROWS else self.unary("filter", anchor)

    def series(self, child: Op, kinds: Sequence[str] = KINDS, order: str = "") -> Op:
        """Windows over all rows, mostly in one order, filtered and projected now and then."""
        types = typed(child)
        make = windowed((), order or ("" if once_in(self.draw, 6) else ordered(self.draw, types)), kinds)
        op: Op = self.sized(Window(child, (), self.named(types, 3, make)), self.rows[id(child)])
        for kind in ("filter", "project"):
            if once_in(self.draw, 3):
                op = self.unary(kind, op)
        return op

    def two(self, size: int) -> tuple[Op, Op]:
        if once_in(self.draw, 6):
            both = self.plan(size)
            return both, both
        first = number(self.draw, 0, size)
        return self.plan(first), self.plan(size - first)

    def unary(self, kind: str, child: Op) -> Op:
        size = self.rows[id(child)]
        types = typed(child)
        match kind:
            case "filter":
                return self.sized(Filter(child, scalars.scalar(scalars.condition(self.draw, types))), size)
            case "project":
                return self.sized(Project(child, self.named(types, 3, scalars.value)), size)
            case "distinct":
                return self.sized(Distinct(child), size)
            case "global":
                return self.sized(Aggregate(child, (), self.named(types, 2, scalars.measure)), 1)
            case "first":
                return self.first(child)
            case "explode":
                name = choose(self.draw, list(types))
                both = f"{name}, {choose(self.draw, scalars.same_type(types, name))}"
                made = Column(self.fresh(), types[name])
                rows = Explode(child, scalars.scalar(f"EXPLODE(ARRAY({both}))"), (made,), outer=once_in(self.draw, 3))
                return self.sized(rows, 2 * size)
            case "window":
                keys = self.named(types, 2, scalars.value)
                parts = [key.value.text for key in keys]
                return self.sized(Window(child, keys, self.named(types, 2, windowed(parts))), size)
            case _:
                keys = self.named(types, 2, scalars.value)
                return self.sized(Aggregate(child, keys, self.named(types, 2, scalars.measure)), size)

    def chain(self, joins: int) -> Op:
        """Inner joins of tables and of unions of them, filtered now and then in between."""
        op = self.leaf()
        for _ in range(joins):
            other = self.union(self.leaf(), self.leaf()) if once_in(self.draw, 4) else self.leaf()
            # Of names of its own, so that no projection must stand between two joins.
            own = renaming(other, tuple(self.fresh() for _ in other.schema.names))
            other = self.sized(own, self.rows[id(other)])
            op = self.join(*((op, other) if once_in(self.draw, 2) else (other, op)), "inner")
            if once_in(self.draw, 3):
                op = self.unary("filter", op)
        return op

    def join(self, left: Op, right: Op, which: str = "") -> Op:
        size = self.rows[id(left)] * self.rows[id(right)]
        if size > MOST_ROWS:
            return self.unary("filter", left)
        kept = self.rows[id(left)] + self.rows[id(right)]
        taken = set(left.schema.names)
        right = renaming(right, tuple(self.fresh() if name in taken else name for name in right.schema.names))
        lefts, rights = typed(left), typed(right)
        pairs = [(a, b) for a in lefts for b in rights if scalars.family(lefts[a]) == scalars.family(rights[b])]
        kind = choose(self.draw, ("equal", "equal", "equal", "equal_and", "any", "cross"))
        text = self.on(kind, pairs, {**lefts, **rights})
        condition = None if text is None else scalars.scalar(text)
        kinds = ("inner", "inner", "inner", "left", "left", "full", "semi", "anti", "mark", "mark")
        match which or choose(self.draw, kinds):
            case "inner":
                return self.sized(Join(left, right, condition), size)
            case "mark":
                return self.sized(MarkJoin(left, right, condition, self.fresh()), self.rows[id(left)])
            case "semi" | "anti" as which:
                return self.sized(SemiJoin(left, right, condition, anti=which == "anti"), self.rows[id(left)])
            case which:
                return self.sized(OuterJoin(left, right, condition, full=which == "full"), size + kept)

    def padded_groups(self, left: Op, right: Op) -> Op:
        """Groups by the left side of an outer join, with calls over the right one and now and then over both."""
        op = self.join(left, right, "left")
        types = typed(op)
        lefts = {name: kind for name, kind in types.items() if name in left.schema.names}
        rights = {name: kind for name, kind in types.items() if name not in lefts}
        calls = []
        for _ in range(number(self.draw, 1, 3)):
            over = types if not rights or once_in(self.draw, 4) else rights
            call = choose(self.draw, ("COUNT", "MIN", "MAX", "COUNT", "COUNT(DISTINCT"))
            name = choose(self.draw, list(over))
            calls.append(
                Named(self.fresh(), scalars.scalar(f"{call}({name})" if "(" not in call else f"{call} {name})"))
            )
        keys = () if once_in(self.draw, 6) else (Named(self.fresh(), column_scalar(choose(self.draw, list(lefts)))),)
        return self.sized(Aggregate(op, keys, tuple(calls)), self.rows[id(op)])

    def bounded(self, left: Op, right: Op) -> Op:
        """A semi or anti join with one row, on a comparison with it, alone or beside another condition."""
        lefts, rights = typed(left), typed(right)
        pairs = [(a, b) for a in lefts for b in rights if scalars.family(lefts[a]) == scalars.family(rights[b])]
        if not pairs:
            return self.unary("filter", left)
        one, other = choose(self.draw, pairs)
        name = self.fresh()
        extreme = scalars.scalar(f"{choose(self.draw, ('MAX', 'MIN'))}({other})")
        total = self.sized(Aggregate(right, (), (Named(name, extreme),)), 1)
        text = f"{one} {choose(self.draw, ('<', '>=', '=', '<>', '<=>'))} {name}"
        if once_in(self.draw, 3):
            text = f"{text} OR {scalars.condition(self.draw, lefts)}"
        op = SemiJoin(left, total, scalars.scalar(text), anti=once_in(self.draw, 3))
        return self.sized(op, self.rows[id(left)])

    def on(self, kind: str, pairs: list[tuple[str, str]], types: dict[str, str]) -> str | None:
        if kind == "cross":
            return None
        if kind == "any" or not pairs:
            return scalars.condition(self.draw, types)
        left, right = choose(self.draw, pairs)
        text = f"{left} {choose(self.draw, ('=', '=', '=', '<=>', '<'))} {right}"
        return f"{text} AND {scalars.comparison(self.draw, types)}" if kind == "equal_and" else text

    def union(self, left: Op, right: Op) -> Op:
        """Both sides projected onto columns of the same types, in the left one's names, unless they agree already."""
        lefts, rights = typed(left), typed(right)
        if list(lefts.items()) == list(rights.items()) and not once_in(self.draw, 3):
            return self.sized(UnionAll((left, right)), self.rows[id(left)] + self.rows[id(right)])
        partners = {name: [b for b in rights if rights[b] == kind] for name, kind in lefts.items()}
        kept = [name for name in lefts if partners[name]]
        if not kept:
            return self.unary("distinct", left)
        mine = tuple(Named(name, column_scalar(name)) for name in kept)
        other = tuple(Named(name, column_scalar(choose(self.draw, partners[name]))) for name in kept)
        first = left if len(kept) == len(lefts) else Project(left, mine)
        size = self.rows[id(left)] + self.rows[id(right)]
        return self.sized(UnionAll((first, Project(right, other))), size)

    def named(self, types: dict[str, str], most: int, make: scalars.Make) -> tuple[Named, ...]:
        count = number(self.draw, 1, most)
        return tuple(Named(self.fresh(), scalars.scalar(make(self.draw, types))) for _ in range(count))

    def fresh(self) -> str:
        self.names += 1
        return f"c{self.names}"

    def sized(self, op: Op, rows: int) -> Op:
        self.rows[id(op)] = rows
        return op


def scan(table: Table) -> Scan:
    """The whole of a table as it is now."""
    return Scan(table.name, table.name, tuple(SourceColumn(name, name, kind) for name, kind in table.types.items()))


def typed(op: Op) -> dict[str, str]:
    """Column → type; a plan the generator makes knows all its types."""
    unknown = [column.name for column in op.schema if scalars.family(column.type) not in scalars.LITERALS]
    if unknown:
        raise AssertionError(f"the generator made columns of unknown type: {unknown} in {op.schema}")
    return {column.name: column.type for column in op.schema}
