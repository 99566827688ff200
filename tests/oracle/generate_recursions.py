"""Random recursions: an anchor, and a step that joins the round before with something, a round or two deep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.oracle import generate_scalars as scalars
from tests.oracle.choose import choose, number, once_in
from trickle.operators import Explode, Filter, Join, OuterJoin, Project, Recursion, SemiJoin, Working
from trickle.operators.project import renaming
from trickle.plan.op import Op
from trickle.plan.scalar import Named, column_scalar
from trickle.plan.schema import Column

if TYPE_CHECKING:
    from tests.oracle.plan_maker import Maker


def recursion(maker: Maker, anchor: Op, other: Op) -> Op:
    """Two columns of the anchor and a depth, which ends it; the level that its layout needs is not shown."""
    draw, deepest = maker.draw, number(maker.draw, 1, 2)
    kept = list(anchor.schema.columns)[:2]
    names = [maker.fresh() for _ in kept]
    depth, level, working = maker.fresh(), maker.fresh(), maker.fresh()
    own = [Column(name, one.type) for name, one in zip(names, kept)]
    counters = tuple(Named(name, scalars.scalar("0")) for name in (depth, level))
    # Cast, because a NULL that is written has no type, and the anchor's types are the recursion's.
    typed = (Named(one.name, scalars.scalar(f"CAST({old.name} AS {old.type})")) for one, old in zip(own, kept))
    begin = Project(anchor, (*typed, *counters))
    rows = Filter(Working(working, begin.schema), scalars.scalar(f"{depth} < {deepest}"))
    joined = _joined(maker, rows, renaming(other, tuple(maker.fresh() for _ in other.schema)))
    values = [
        Named(one.name, column_scalar(choose(draw, [found.name for found in joined.schema if found.type == one.type])))
        for one in own
    ]
    more = (Named(name, scalars.scalar(f"{name} + 1")) for name in (depth, level))
    step = Project(joined, (*values, *more))
    op = Recursion(begin, step, working, level)
    return Project(op, tuple(Named(maker.fresh(), column_scalar(name)) for name in (*names, depth)))


def _joined(maker: Maker, rows: Op, other: Op) -> Op:
    """The round before beside what it meets: by a join of a kind that keeps the step linear."""
    draw = maker.draw
    lefts = {one.name: one.type for one in rows.schema}
    rights = {one.name: one.type for one in other.schema}
    pairs = [(a, b) for a in lefts for b in rights if scalars.family(lefts[a]) == scalars.family(rights[b])]
    text = maker.on(choose(draw, ("equal", "equal", "equal", "equal_and", "any")), pairs, {**lefts, **rights})
    condition = None if text is None else scalars.scalar(text)
    match choose(draw, ("inner", "inner", "inner", "turned", "left", "semi", "anti", "explode")):
        case "left":
            return OuterJoin(rows, other, condition, full=False)
        case "turned":
            return Join(other, rows, condition)
        case "semi" | "anti" as kind:
            return SemiJoin(rows, other, condition, anti=kind == "anti")
        case "explode":
            name = choose(draw, list(lefts))
            made = Column(maker.fresh(), lefts[name])
            both = scalars.scalar(f"EXPLODE(ARRAY({name}, {name}))")
            return Explode(rows, both, (made,), outer=once_in(draw, 3))
        case _:
            return Join(rows, other, condition)
