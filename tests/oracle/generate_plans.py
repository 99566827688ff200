"""Random plans: any operator under any other, sources read twice, sub-plans shared."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from tests.oracle.choose import choose, number
from tests.oracle.generate_data import APPENDS, World, later_worlds, worlds
from tests.oracle.plan_maker import Maker
from trickle.plan.op import Op

MOST_OPS = 6


@dataclass(frozen=True)
class Example:
    """One plan over one world."""

    world: World
    plan: Op


@st.composite
def examples(draw: st.DrawFn, most_ops: int = MOST_OPS) -> Example:
    """A plan of up to `most_ops` operators above its leaves."""
    world = draw(worlds())
    return Example(world, Maker(draw, world).plan(number(draw, 1, most_ops)))


@st.composite
def stored_examples(draw: st.DrawFn, most_ops: int = 3) -> Example:
    """Plans as views have them: most are a grouping, with or without something above it, and over little."""
    world = draw(worlds())
    maker = Maker(draw, world)
    child = maker.plan(min(number(draw, 0, most_ops), number(draw, 0, most_ops)))
    match choose(draw, ("groups", "groups", "groups", "groups", "groups", "bag", "bag", "distinct", "first", "series")):
        case "groups":
            return Example(world, maker.groups(child))
        case "series":
            return Example(world, maker.series(child))
        case "bag":
            return Example(world, child)
        case kind:
            return Example(world, maker.unary(kind, child))


@st.composite
def appended_examples(draw: st.DrawFn) -> Example:
    """Groupings of what is only ever added to: where extremes, too, are kept without reading the source again."""
    world = draw(worlds(kinds=APPENDS))
    maker = Maker(draw, world)
    return Example(world, maker.groups(maker.plan(number(draw, 0, 1))))


@st.composite
def projected_examples(draw: st.DrawFn) -> Example:
    """Values computed over little, those that the clock has a part in among them."""
    world = draw(worlds())
    maker = Maker(draw, world)
    return Example(world, maker.unary("project", maker.plan(number(draw, 0, 1))))


@st.composite
def joined_examples(draw: st.DrawFn) -> Example:
    """A join with something over little on its left: where rows are looked up again by the keys of the other side."""
    world = draw(worlds())
    maker = Maker(draw, world)
    kind = choose(draw, ("window", "window", "aggregate", "distinct", "project", "explode"))
    return Example(world, maker.join(maker.unary(kind, maker.plan(number(draw, 0, 1))), maker.plan(number(draw, 0, 1))))


@st.composite
def chained_examples(draw: st.DrawFn) -> Example:
    """Inner joins of three or four tables with filters and unions between them: they can be met in many orders."""
    world = draw(worlds())
    return Example(world, Maker(draw, world).chain(number(draw, 2, 3)))


@st.composite
def recursive_examples(draw: st.DrawFn) -> Example:
    """A recursion over little, as it is or with something above that asks for its rows before and after."""
    world = draw(worlds())
    maker = Maker(draw, world)
    op = maker.recursion(maker.plan(number(draw, 0, 1)), maker.plan(number(draw, 0, 1)))
    match choose(draw, ("alone", "alone", "groups", "aggregate", "join", "distinct", "filter", "window", "global")):
        case "alone":
            return Example(world, op)
        case "groups":
            return Example(world, maker.groups(op))
        case "join":
            return Example(world, maker.join(op, maker.plan(number(draw, 0, 1))))
        case kind:
            return Example(world, maker.unary(kind, op))


@st.composite
def emptied_examples(draw: st.DrawFn) -> Example:
    """A join with nothing on one side: each kind of join makes something else of it."""
    world = draw(worlds())
    maker = Maker(draw, world)
    sides = [maker.plan(number(draw, 0, 1)), maker.nothing()]
    return Example(world, maker.join(*(sides if number(draw, 0, 1) else reversed(sides))))


@st.composite
def padded_examples(draw: st.DrawFn) -> Example:
    """Groups over an outer join: what a row without a match adds to them."""
    world = draw(worlds())
    maker, other = Maker(draw, world), Maker(draw, world, names=100)
    left, right = maker.plan(number(draw, 0, 1)), other.plan(number(draw, 0, 1))
    # Sides that share a part keep what either needs of it until the projections between are merged.
    maker.rows.update(other.rows)
    return Example(world, maker.padded_groups(left, right))


@st.composite
def bounded_examples(draw: st.DrawFn) -> Example:
    """The rows that compare with a total of others, or of themselves: a total that moves passes some of them."""
    world = draw(worlds())
    maker = Maker(draw, world)
    return Example(world, maker.bounded(maker.plan(number(draw, 0, 2)), maker.plan(number(draw, 0, 1))))


@st.composite
def stories(draw: st.DrawFn) -> tuple[Example, World]:
    """A plan over a world, and what happens to the world next."""
    example = draw(stored_examples())
    return example, draw(later_worlds(example.world))
