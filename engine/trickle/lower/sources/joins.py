"""JOIN of every kind, with ON, USING or NATURAL, and the columns each exposes to the rest of the query."""

from __future__ import annotations

from typing import Optional

from sqlglot import exp

from trickle.errors import Position
from trickle.lower.names.scope import Scope, Visible, unknown_column
from trickle.lower.refusals.type_mismatches import refuse_equality
from trickle.lower.select.conditions import place_in_sides
from trickle.lower.select.expressions import Binder
from trickle.lower.session import Ctes, Session
from trickle.operators import Join, OuterJoin, Project, SemiJoin
from trickle.plan.op import Op
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.sql.build import all_of, column
from trickle.sql.parse import position_of

Placed = tuple[Op, Scope]
Pairs = list[tuple[str, str]]
"""Internal names of the left and right column of each USING pair."""


def lower_join(left: Placed, join: exp.Join, right: Placed, session: Session, ctes: Ctes) -> Placed:
    """The join of two relations, with its scope."""
    names = _using(left[1], join, right[1])
    if names:
        return _join_using(left, right, names, join, session)
    both = left[1] + right[1]
    on = join.args.get("on")
    bound = None if on is None else Binder(both, session, ctes).condition(on, "ON")
    lefts, rights, condition = left[0], right[0], bound
    if bound is not None and any(node.name in session.pending for node in bound.find_all(exp.Column)):
        lefts, rights, condition = place_in_sides(lefts, rights, bound, join, session)
    op = _operator(lefts, rights, None if condition is None else Scalar(condition), join)
    return op, left[1] if isinstance(op, SemiJoin) else both


def _using(left: Scope, join: exp.Join, right: Scope) -> list[str]:
    if join.method == "NATURAL":
        taken = {name.lower() for name in right.names()}
        return [name for name in left.names() if name.lower() in taken]
    return [part.name for part in join.args.get("using") or []]


def _operator(left: Op, right: Op, condition: Optional[Scalar], join: exp.Join) -> Op:
    if join.kind in ("SEMI", "ANTI"):
        return SemiJoin(left, right, condition, anti=join.kind == "ANTI")
    match join.side:
        case "LEFT" | "FULL":
            return OuterJoin(left, right, condition, full=join.side == "FULL")
        case "RIGHT":
            return OuterJoin(right, left, condition, full=False)
        case _:
            return Join(left, right, condition)


def _join_using(left: Placed, right: Placed, names: list[str], join: exp.Join, session: Session) -> Placed:
    """USING: equality of the named columns. Each is shown once, first, from the side whose rows are all kept."""
    pairs = _pairs(left[1], right[1], names, position_of(join, session.text))
    refuse_equality(left[0], [left_name for left_name, _ in pairs], "USING", join, session)
    condition = all_of(exp.EQ(this=column(left_name), expression=column(right_name)) for left_name, right_name in pairs)
    assert condition is not None
    op = _operator(left[0], right[0], Scalar(condition), join)
    lefts, rights = (tuple(pair[side] for pair in pairs) for side in (0, 1))
    if isinstance(op, SemiJoin):
        return op, left[1].led_by(lefts)
    if join.side == "FULL":
        return _coalesced(op, left[1] + right[1], names, pairs, session)
    if join.side == "RIGHT":
        shown = left[1].hiding(frozenset(lefts)) + right[1]
        return op, shown.led_by(rights)
    return op, left[1].led_by(lefts) + right[1].hiding(frozenset(rights))


def _pairs(left: Scope, right: Scope, names: list[str], position: Optional[Position]) -> Pairs:
    pairs: Pairs = []
    for name in names:
        sides = [scope.resolve([name], position) for scope in (left, right)]
        for side, scope in zip(sides, (left, right)):
            if not isinstance(side, exp.Column):
                raise unknown_column([name], scope, position)
        pairs.append((sides[0].name, sides[1].name))  # type: ignore[union-attr]
    return pairs


def _coalesced(op: Op, both: Scope, names: list[str], pairs: Pairs, session: Session) -> Placed:
    """FULL JOIN USING: COALESCE of both columns; each keeps its qualified name."""
    merged = []
    for name, (left_name, right_name) in zip(names, pairs):
        value = Scalar(exp.Coalesce(this=column(left_name), expressions=[column(right_name)]))
        merged.append(Named(session.names.fresh(name), value))
    own_columns = tuple(Named(name, column_scalar(name)) for name in op.schema.names)
    shown = Scope(tuple(Visible((), name, item.name) for name, item in zip(names, merged)))
    hidden = frozenset(name for pair in pairs for name in pair)
    return Project(op, (*own_columns, *merged)), shown + both.hiding(hidden)
