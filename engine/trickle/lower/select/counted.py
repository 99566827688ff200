"""range(start, end, step) in FROM: constant rows of whole numbers."""

from __future__ import annotations

from sqlglot import exp

from trickle.errors import InvalidView, Unsupported
from trickle.lower.refusals.whole_number import whole_number
from trickle.lower.session import Lowered, Session
from trickle.lower.sources.values import one_row
from trickle.operators import Explode, Filter, Project
from trickle.operators.explode import GENERATED_PREFIX
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.plan.schema import Column
from trickle.reasons import reason
from trickle.sql.build import call, cast, integer
from trickle.sql.parse import position_of

RANGE = "range"
ID = "id"
"""Spark's name of the column."""


def lower_range(node: exp.Table, session: Session) -> Lowered:
    """range([start, ]end[, step[, tasks]]) of literals."""
    position = position_of(node, session.text)
    given = list(node.this.expressions)
    if not 1 <= len(given) <= 4:
        raise InvalidView("range() takes one to four whole numbers: [start, ]end[, step[, tasks]]", position)
    numbers = [whole_number(argument) for argument in given]
    whole = [number for number in numbers if number is not None]
    if len(whole) < len(numbers):
        raise Unsupported([reason("table_function", position, what="range() of anything but whole numbers")])
    start, end, step = (0, whole[0], 1) if len(whole) == 1 else (whole[0], whole[1], whole[2] if whole[2:] else 1)
    if step == 0:
        raise InvalidView("the step of range() is zero", position)
    last = range(start, end, step)[-1] if range(start, end, step) else None
    generated = Column(session.names.fresh(f"{GENERATED_PREFIX}{ID}"), "bigint")
    bounds = [cast(integer(number), "bigint") for number in (start, start if last is None else last, step)]
    rows = Explode(one_row(session), Scalar(call("EXPLODE", call("SEQUENCE", *bounds))), (generated,), outer=False)
    shown = Project(rows, (Named(generated.name, column_scalar(generated.name)),))
    return Lowered(Filter(shown, Scalar(exp.false())) if last is None else shown, ((ID, generated.name),))
