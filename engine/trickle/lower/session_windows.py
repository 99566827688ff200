"""session_window(ts, '5 minutes'): rows that follow each other no later than the gap are one session.

SELECT u, session_window.start, COUNT(*) FROM R GROUP BY u, session_window(ts, '5 minutes') → γ(ω(ω(ω(R)))): the time
before in the row's partition, then where its session began, then when the last row of the session came. The other
expressions of GROUP BY are the partition, as only they are in Spark.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from trickle.errors import Unsupported
from trickle.lower.expressions import Binder
from trickle.operators import Filter, Project, Window
from trickle.plan.op import Op
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.plan.types import type_of
from trickle.reasons import reason
from trickle.sql.build import call, case, cast, column, integer, not_null, string
from trickle.sql.text import to_line

KIND = "struct<start:timestamp,end:timestamp>"


@dataclass(frozen=True)
class _Names:
    """Columns on the way: the time of a row, the one before, and the first and last of its session."""

    moment: str
    before: str
    first: str
    last: str


def with_sessions(op: Op, select: exp.Select, binder: Binder, written: exp.Expr, gap: int, made: str) -> Op:
    """The rows with a time, and the session of each beside it in the column `made`."""
    fresh = binder.session.names.fresh
    keys = _other_keys(select, binder, written)
    names = _Names(*(fresh(name) for name in ("moment", "before", "first", "last")))
    timed = Project(op, (*_all(op), Named(names.moment, Scalar(_moment(op, binder, written)))))
    known = Filter(timed, Scalar(not_null(column(names.moment))))
    partition = tuple(Named(fresh("partition_key"), key) for key in keys)
    earlier = exp.WindowSpec(kind="RANGE", start="UNBOUNDED", start_side="PRECEDING", end="1", end_side="PRECEDING")
    followed = _window(known, partition, names.before, column(names.moment), names.moment, earlier)
    gone = exp.Sub(this=column(names.moment), expression=column(names.before))
    late = exp.GT(this=gone, expression=cast(integer(gap), "bigint"))
    alone = exp.Is(this=column(names.before), expression=exp.Null())
    began = case(exp.Or(this=alone, expression=late), column(names.moment), exp.Null())
    begun = _window(followed, partition, names.first, began, names.moment)
    ended = _window(begun, partition, names.last, column(names.moment), also=names.first)
    over = exp.Add(this=column(names.last), expression=cast(integer(gap), "bigint"))
    start, end = call("TIMESTAMP_MICROS", column(names.first)), call("TIMESTAMP_MICROS", over)
    session = call("NAMED_STRUCT", string("start"), start, string("end"), end)
    return Project(ended, (*_all(op), Named(made, Scalar(session))))


def _all(op: Op) -> tuple[Named, ...]:
    return tuple(Named(name, column_scalar(name)) for name in op.schema.names)


def _other_keys(select: exp.Select, binder: Binder, written: exp.Expr) -> list[Scalar]:
    """What else GROUP BY names: columns and expressions over columns, no places, no aliases and no subqueries."""
    group = select.args.get("group")
    items = group.expressions if isinstance(group, exp.Group) else []
    others = [one for one in items if to_line(one) != to_line(written)]
    known = all(binder.scope.resolve([part.name for part in one.parts], None) for one in _columns(others))
    plain = not any(isinstance(one, exp.Literal) or one.find(exp.Query) for one in items)
    if not others or len(others) == len(items) or not known or not plain:
        raise Unsupported([reason("sessions", binder.place(written), what=to_line(written)[:80])])
    return [Scalar(binder.bind(one)) for one in others]


def _columns(trees: list[exp.Expr]) -> list[exp.Column]:
    return [one for tree in trees for one in tree.find_all(exp.Column)]


def _moment(op: Op, binder: Binder, written: exp.Expr) -> exp.Expr:
    """The time in microseconds."""
    time = binder.bind(written.expressions[0].copy())
    kind = type_of(time, {one.name: one.type for one in op.schema})
    if kind not in ("timestamp", "date", "string"):
        raise Unsupported([reason("sessions", binder.place(written), what=to_line(written)[:80])])
    return call("UNIX_MICROS", time if kind == "timestamp" else cast(time, "timestamp"))


def _window(
    child: Op,
    partition: tuple[Named, ...],
    name: str,
    value: exp.Expr,
    order: str = "",
    spec: exp.WindowSpec | None = None,
    also: str = "",
) -> Window:
    """MAX(value) OVER (PARTITION BY …, in this order and frame if there is one).

    A session lies within a partition, so that by the partition alone a change finds what it touches: `also` is no key.
    """
    by = exp.Order(expressions=[exp.Ordered(this=column(order), nulls_first=True)]) if order else None
    tree = exp.Window(
        this=exp.Max(this=value),
        partition_by=[*(key.value.place() for key in partition), *([column(also)] if also else [])],
        order=by,
        spec=spec,
        over="OVER",
    )
    return Window(child, partition, (Named(name, Scalar(tree)),))
