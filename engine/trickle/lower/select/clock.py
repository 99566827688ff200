"""Clock calls in a text: their positions, and the tree with a mark for each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Optional

from sqlglot import exp

from trickle.errors import Position
from trickle.operators import Project, UnionAll
from trickle.plan.clock import ClockCall, clock_calls, clock_reading
from trickle.plan.op import Op, walk
from trickle.sql.parse import span
from trickle.sql.routines import CALL

WORDS = ("current_date", "current_timestamp")
"""Calls without parentheses. A column of that name takes precedence."""


@dataclass(frozen=True)
class PlacedClockCall:
    """A clock call and its position in the text."""

    position: Position
    clock_call: ClockCall


def clock_calls_in_text(tree: exp.Query, text: str) -> tuple[PlacedClockCall, ...]:
    """Every call that is replaced by a literal, in the order of the text."""
    calls = []
    for node in tree.walk():
        name = clock_reading(node)
        if name is None or hidden_by_a_column(node, tree):
            continue
        first, last = node.meta[CALL]
        calls.append(PlacedClockCall(span(text, first, last), ClockCall(name, _is_shown(node))))
    return tuple(sorted(calls, key=lambda call: call.position.start))


def with_clock_calls(tree: exp.Query, freezes: bool) -> exp.Query:
    """The tree with marks for the calls. Unless `freezes`, shown calls use the instant of the run as well."""
    shown = {id(node): _is_shown(node) for node in tree.walk() if clock_reading(node) is not None}

    def mark(node: exp.Expr) -> exp.Expr:
        name = clock_reading(node)
        if name is None:
            return node
        return ClockCall(name, freezes and shown.get(id(node), False)).tree()

    if shown:
        tree.transform(mark, copy=False)
    return tree


def hidden_by_a_column(node: exp.Expr, tree: exp.Query) -> bool:
    """Whether a call without parentheses may be a column: an identifier of the text has its name."""
    if isinstance(node, exp.Anonymous):
        return False
    word = clock_reading(node)
    return any(name.name.lower() == word for name in tree.find_all(exp.Identifier))


def only_shown(root: Op) -> bool:
    """Whether no row, group, order or window depends on a shown call: its value only passes through projections.

    Then the value can stay until the data changes. Otherwise rows would change with time.
    """
    tainted: set[str] = set()
    for op in walk(root):
        match op:
            case Project():
                for item in op.items:
                    if _shows(item.value.tree) or item.value.columns & tainted:
                        tainted.add(item.name)
            case UnionAll():
                names = op.schema.names
                indexes = [
                    index for branch in op.inputs for index, name in enumerate(branch.schema.names) if name in tainted
                ]
                tainted |= {names[index] for index in indexes}
            case _:
                if any(_shows(scalar.tree) or scalar.columns & tainted for scalar in op.scalars()):
                    return False
    return True


def only_on_top(calls: Iterable[PlacedClockCall], tree: exp.Query) -> bool:
    """The same for a text without a plan: whether its clock calls are in the outermost SELECT lists only."""
    inner = [part for query in _inside(tree) for part in query.walk() if clock_reading(part) is not None]
    return not inner and all(call.clock_call.shown for call in calls)


def _inside(tree: exp.Query) -> list[exp.Expr]:
    top: list[exp.Expr] = [tree]
    outermost: set[int] = set()
    while top:
        query = top.pop()
        outermost.add(id(query))
        if isinstance(query, exp.SetOperation):
            top += [query.left, query.right]
        elif isinstance(query, exp.Subquery):
            top.append(query.this)
    return [query for query in tree.find_all(exp.Select, exp.Values) if id(query) not in outermost]


def _shows(tree: exp.Expr) -> bool:
    return any(call.shown for call in clock_calls(tree))


def _is_shown(node: exp.Expr) -> bool:
    """Whether a call is in the SELECT list of its query."""
    inside: exp.Expr = node
    parent: Optional[exp.Expr] = node.parent
    while parent is not None and not isinstance(parent, (exp.Query, exp.Values)):
        inside, parent = parent, parent.parent
    return isinstance(parent, exp.Select) and inside.arg_key == "expressions" and not _groups_by_time(parent)


def _groups_by_time(select: exp.Select) -> bool:
    """Whether GROUP BY has clock calls: a call in the SELECT list may then be part of a key."""
    group = select.args.get("group")
    return group is not None and any(clock_reading(part) is not None or clock_calls(part) for part in group.walk())
