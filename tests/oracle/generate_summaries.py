"""Random summaries: windows over the groups of a grouping, with conditions, projections and limits in between."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.oracle.choose import choose, number, once_in
from tests.oracle.generate_data import worlds
from tests.oracle.generate_plans import Example
from tests.oracle.generate_windows import ordered, windowed
from tests.oracle.plan_maker import Maker, typed
from trickle.operators import Aggregate, Window
from trickle.plan.op import Op


@st.composite
def summary_examples(draw: st.DrawFn) -> Example:
    """One window at least, over groups of little: some groups are hidden below it, some above it."""
    world = draw(worlds())
    maker = Maker(draw, world)
    op = _grouped(maker, maker.plan(number(draw, 0, 1)))
    if once_in(draw, 2):
        op = maker.unary("filter", op)
    op = _windowed(maker, op)
    for kind in ("filter", "window", "everything", "project", "first"):
        if once_in(draw, 3):
            op = _windowed(maker, op) if kind == "everything" else maker.unary(kind, op)
    return Example(world, op)


def _grouped(maker: Maker, child: Op) -> Op:
    kind = choose(maker.draw, ("aggregate", "aggregate", "distinct"))
    op = maker.unary(kind, child)
    return op if not isinstance(op, Aggregate) or op.keys else maker.unary("distinct", child)


def _windowed(maker: Maker, op: Op) -> Op:
    """All groups in one partition."""
    types = typed(op)
    make = windowed((), "" if once_in(maker.draw, 3) else ordered(maker.draw, types))
    return maker.sized(Window(op, (), maker.named(types, 3, make)), maker.rows[id(op)])
