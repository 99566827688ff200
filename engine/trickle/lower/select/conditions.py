"""Subqueries in ON: each belongs to one side of the join, because Spark lets it name columns of one side only.

A condition over one side whose unmatched rows the join drops becomes a filter of that side. Any other stays in ON, and
its subqueries become columns of the side they belong to.
"""

from __future__ import annotations

from typing import Optional

from sqlglot import exp

from trickle.errors import InvalidView, Unsupported
from trickle.lower.session import Session
from trickle.lower.subqueries.subqueries import Mark, attach, keep_rows
from trickle.plan.op import Op
from trickle.reasons import reason
from trickle.sql.build import all_of, column, conjuncts
from trickle.sql.parse import position_of

LEFT, RIGHT = 0, 1
BOTH = frozenset({LEFT, RIGHT})


def place_in_sides(
    left: Op, right: Op, condition: exp.Expr, join: exp.Join, session: Session
) -> tuple[Op, Op, Optional[exp.Expr]]:
    """Both sides with the columns of the condition's subqueries, and the condition that is left for ON."""
    names = [set(left.schema.names), set(right.schema.names)]
    sides = [left, right]
    remaining: list[exp.Expr] = []
    for part in conjuncts(condition):
        subqueries = [node.name for node in part.find_all(exp.Column) if node.name in session.pending]
        sides_of = {subquery: _side_of(subquery, names, join, session) for subquery in subqueries}
        own = {node.name for node in part.find_all(exp.Column)} - set(subqueries)
        named = {side for side in BOTH if own & names[side]} | set(sides_of.values())
        side = min(named)
        if subqueries and len(named) == 1 and side in _filtered_sides(join):
            sides[side] = keep_rows(sides[side], part, session)
            continue
        for subquery, subquery_side in sides_of.items():
            _refuse_null_aware(subquery, part, join, session)
            sides[subquery_side] = attach(sides[subquery_side], [column(subquery)], session)
        remaining.append(part)
    return sides[LEFT], sides[RIGHT], all_of(part.copy() for part in remaining)


def _filtered_sides(join: exp.Join) -> frozenset[int]:
    """The sides whose unmatched rows the join drops: a condition on them may be applied before the join."""
    if join.kind == "ANTI":
        return frozenset({RIGHT})
    match join.side:
        case "LEFT" if join.kind != "SEMI":
            return frozenset({RIGHT})
        case "RIGHT":
            return frozenset({LEFT})
        case "FULL":
            return frozenset()
        case _:
            return BOTH


def _side_of(name: str, names: list[set[str]], join: exp.Join, session: Session) -> int:
    """The side whose columns the subquery names; the left side when it names none."""
    pending = session.pending[name]
    needs = pending.needs()
    position = position_of(join, session.text)
    if not isinstance(pending, Mark) and needs & (names[LEFT] | names[RIGHT]):
        raise InvalidView("a scalar subquery cannot name columns of a join in its ON", position)
    named_sides = [side for side in (LEFT, RIGHT) if needs & names[side]]
    if len(named_sides) > 1:
        raise InvalidView("a subquery in ON cannot name columns of both sides of the join", position, "Use WHERE.")
    return named_sides[0] if named_sides else LEFT


def _refuse_null_aware(name: str, part: exp.Expr, join: exp.Join, session: Session) -> None:
    """Refuse NOT IN in ON: Spark treats UNKNOWN as FALSE there, unless its optimizer moves it out of ON."""
    pending = session.pending[name]
    if isinstance(pending, Mark) and pending.unknown:
        raise Unsupported([reason("in_as_value", position_of(join, session.text))])
