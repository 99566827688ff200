"""Random plans in which an order counts: windows over little, so that many of them are drawn."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.oracle.choose import choose, number, once_in
from tests.oracle.generate_data import APPENDS, World, behind, worlds
from tests.oracle.generate_plans import Example
from tests.oracle.generate_windows import NEIGHBOURS, PLACES
from tests.oracle.plan_maker import Maker
from trickle.plan.op import Op


@st.composite
def ordered_examples(draw: st.DrawFn) -> Example:
    """Windows over whole orders of little, so that many of them are drawn."""
    world = draw(worlds())
    maker = Maker(draw, world)
    return Example(world, maker.series(maker.plan(number(draw, 0, 1))))


@st.composite
def neighbour_examples(draw: st.DrawFn) -> Example:
    """The same with the rows before and after."""
    world = draw(worlds())
    maker = Maker(draw, world)
    return Example(world, maker.series(maker.leaf(), NEIGHBOURS))


@st.composite
def placed_examples(draw: st.DrawFn) -> Example:
    """The same with the rows at a place of their frame."""
    world = draw(worlds())
    maker = Maker(draw, world)
    return Example(world, maker.series(maker.leaf(), PLACES))


@st.composite
def extended_examples(draw: st.DrawFn) -> Example:
    """Windows in the order of keys, over rows of which new ones come last."""
    drawn = draw(worlds(most=1, kinds=APPENDS))
    world = World(tuple(map(behind, drawn.tables)), drawn.clock)
    maker = Maker(draw, world)
    child: Op = maker.leaf()
    if "k" not in child.schema or once_in(draw, 3):
        child = maker.unary("filter", child)
    order = f"ORDER BY k{choose(draw, ('', ' NULLS LAST', ' DESC'))}" if "k" in child.schema else ""
    return Example(world, maker.series(child, order=order))


@st.composite
def windowed_examples(draw: st.DrawFn) -> Example:
    """Windows over little, so that many of them are drawn."""
    world = draw(worlds())
    maker = Maker(draw, world)
    return Example(world, maker.unary("window", maker.plan(number(draw, 0, 1))))
