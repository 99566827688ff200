"""session_window(ts, '5 minutes'): rows that follow each other no later than the gap are one session.

SELECT u, session_window.start, COUNT(*) FROM R GROUP BY u, session_window(ts, '5 minutes') → γ(ω(ω(ω(R)))): until when
the rows before it in its partition hold a session open, then where the row's session began, then until when it lasts.
The other expressions of GROUP BY are the partition, as only they are in Spark.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from trickle.errors import Unsupported
from trickle.lower.select.expressions import Binder
from trickle.operators import Filter, Project, Window
from trickle.plan.expression_types import expression_type
from trickle.plan.op import Op
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.reasons import reason
from trickle.sql.build import call, case, cast, column, string
from trickle.sql.text import function_name, to_line
from trickle.types import STRING, Simple

SESSION_WINDOW = "session_window"
TIMES_OF_WINDOWS = (Simple.TIMESTAMP, Simple.DATE, STRING)
"""Types of which windows of time are made."""
KIND = "struct<start:timestamp,end:timestamp>"


@dataclass(frozen=True)
class _Names:
    """Intermediate columns: a row's time, its and its predecessors' session end, the session's bounds."""

    moment: str
    until: str
    open_until: str
    first: str
    last: str


def with_sessions(op: Op, select: exp.Select, binder: Binder, written: exp.Expr, made: str) -> Op:
    """The rows with a time and a gap above zero, each with its session in the column `made`."""
    fresh = binder.session.names.fresh
    keys = _other_keys(select, binder, written)
    names = _Names(*(fresh(name) for name in ("moment", "until", "open_until", "first", "last")))
    moment, until = column(names.moment), column(names.until)
    time, gap = _time(op, binder, written), _gap(op, binder, written)
    after = exp.Add(this=time.copy(), expression=cast(gap, "interval"))
    timed = (Named(names.moment, Scalar(_micros(time))), Named(names.until, Scalar(_micros(exp.Paren(this=after)))))
    known = Filter(Project(op, (*_all(op), *timed)), Scalar(exp.GT(this=until, expression=moment)))
    partition = tuple(Named(fresh("partition_key"), key) for key in keys)
    earlier = exp.WindowSpec(kind="RANGE", start="UNBOUNDED", start_side="PRECEDING", end="1", end_side="PRECEDING")
    followed = _window(known, partition, names.open_until, until.copy(), names.moment, earlier)
    late = exp.GT(this=moment.copy(), expression=column(names.open_until))
    alone = exp.Is(this=column(names.open_until), expression=exp.Null())
    began = case(exp.Or(this=alone, expression=late), moment.copy(), exp.Null())
    begun = _window(followed, partition, names.first, began, names.moment)
    ended = _window(begun, partition, names.last, until.copy(), also=names.first)
    start, end = call("TIMESTAMP_MICROS", column(names.first)), call("TIMESTAMP_MICROS", column(names.last))
    session = call("NAMED_STRUCT", string("start"), start, string("end"), end)
    return Project(ended, (*_all(op), Named(made, Scalar(session))))


def _all(op: Op) -> tuple[Named, ...]:
    return tuple(Named(name, column_scalar(name)) for name in op.schema.names)


def _other_keys(select: exp.Select, binder: Binder, written: exp.Expr) -> list[Scalar]:
    """The other keys of GROUP BY: columns and expressions over columns, without sessions and subqueries."""
    group = select.args.get("group")
    aliases = {key.alias.lower(): key.this for key in select.expressions if isinstance(key, exp.Alias)}
    items = (
        [_resolved_key(key, select, aliases, binder) for key in group.expressions]
        if isinstance(group, exp.Group)
        else []
    )
    others = [key for key in items if to_line(key) != to_line(written)]
    if not others or len(others) == len(items):
        raise _not_maintained(binder, written)
    named = {key.name.lower() for tree in others for key in tree.find_all(exp.Column) if len(key.parts) == 1}
    used_aliases = {
        name: aliases[name] for name in named & aliases.keys() if binder.scope.resolve([name], None) is None
    }
    if not all(_is_plain(key) for key in (*others, *used_aliases.values())):
        raise _not_maintained(binder, written)
    known = binder.with_aliases({name: binder.bind(tree) for name, tree in used_aliases.items()})
    return [Scalar(known.bind(key)) for key in others]


def _resolved_key(key: exp.Expr, select: exp.Select, aliases: Mapping[str, exp.Expr], binder: Binder) -> exp.Expr:
    """The item of the SELECT list that a key names by ordinal, or the session by its alias; else the key."""
    if isinstance(key, exp.Literal) and key.is_int and 0 < int(key.name) <= len(select.expressions):
        item: exp.Expr = select.expressions[int(key.name) - 1].unalias()
        return item
    if isinstance(key, exp.Column) and len(key.parts) == 1 and binder.scope.resolve([key.name], None) is None:
        named = aliases.get(key.name.lower())
        return named if named is not None and _is_session(named) else key
    return key


def _is_plain(tree: exp.Expr) -> bool:
    return not any(isinstance(node, exp.Query) or _is_session(node) for node in tree.walk())


def _is_session(node: exp.Expr) -> bool:
    """Whether it is the call, or the column session_window."""
    own = isinstance(node, exp.Column) and node.parts[0].name.lower() == SESSION_WINDOW
    return own or function_name(node) == SESSION_WINDOW


def _time(op: Op, binder: Binder, written: exp.Expr) -> exp.Expr:
    time = binder.bind(written.expressions[0].copy())
    kind = expression_type(time, {schema_column.name: schema_column.type for schema_column in op.schema})
    if kind not in TIMES_OF_WINDOWS:
        raise _not_maintained(binder, written)
    return time if kind is Simple.TIMESTAMP else cast(time, "timestamp")


def _gap(op: Op, binder: Binder, written: exp.Expr) -> exp.Expr:
    """The gap, a text expression. Spark adds it as an interval, so a day may have 23 or 25 hours."""
    gap = binder.bind(written.expressions[1].copy()) if len(written.expressions) == 2 else exp.Null()
    if expression_type(
        gap, {schema_column.name: schema_column.type for schema_column in op.schema}
    ) != STRING or gap.find(exp.Query):
        raise _not_maintained(binder, written)
    return gap


def _micros(time: exp.Expr) -> exp.Expr:
    return call("UNIX_MICROS", time)


def _not_maintained(binder: Binder, written: exp.Expr) -> Unsupported:
    return Unsupported([reason("sessions", binder.position(written), what=to_line(written)[:80])])


def _window(
    child: Op,
    partition: tuple[Named, ...],
    name: str,
    value: exp.Expr,
    order: str = "",
    spec: exp.WindowSpec | None = None,
    also: str = "",
) -> Window:
    """MAX(value) OVER (PARTITION BY … [ORDER BY order] [frame]).

    A session lies within a partition, so the partition suffices to find what a change touches: `also` is not a key.
    """
    by = exp.Order(expressions=[exp.Ordered(this=column(order), nulls_first=True)]) if order else None
    tree = exp.Window(
        this=exp.Max(this=value),
        partition_by=[*(key.value.tree_copy() for key in partition), *([column(also)] if also else [])],
        order=by,
        spec=spec,
        over="OVER",
    )
    return Window(child, partition, (Named(name, Scalar(tree)),))
