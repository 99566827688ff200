"""Users' functions in a query: which are maintained like Spark's own, and why the others are not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Optional

from sqlglot import exp

from trickle.catalog.facts import Functions
from trickle.catalog.routines import Name, Routine
from trickle.errors import InvalidView, Position
from trickle.functions import Role, facts_of
from trickle.lower.refusals.refuse import refused_call
from trickle.plan.clock import clock_reading
from trickle.sql.parse import parse_expression, parse_select, span
from trickle.sql.routines import CALL, RoutineCall
from trickle.sql.stack_size import with_large_stack
from trickle.sql.text import function_name, to_line


@dataclass(frozen=True)
class Routines:
    """What is known of the functions that a query calls."""

    unknown: Mapping[str, str] = field(default_factory=dict)
    """Function as it is called → why its answer may change although its arguments do not; empty where it may not."""
    fingerprints: Mapping[str, str] = field(default_factory=dict)
    """Function → fingerprint of its definition, with those that it calls; of functions that are maintained."""


@with_large_stack
def unknown_routines(trees: Iterable[exp.Expr], known: Functions) -> tuple[Name, ...]:
    """The functions that the trees call, directly or through others, and of which nothing is known yet."""
    waiting = [name for _, name in _called(trees)]
    met: dict[Name, None] = {}
    while waiting:
        name = waiting.pop(0)
        if name in met:
            continue
        met[name] = None
        routine = known.get(name)
        body = None if routine is None or routine.unknown else _body(routine)
        if body is not None:
            waiting += [inner for _, inner in _called([body]) if len(inner) > 1]
    return tuple(name for name in met if name not in known)


@with_large_stack
def routines_of(trees: Iterable[exp.Expr], known: Functions) -> Routines:
    """All users' functions that the trees call."""
    unknown: dict[str, str] = {}
    fingerprints: dict[str, str] = {}
    for shown, name in _called(trees):
        routine = known.get(name)
        if routine is None or shown in unknown:
            continue
        own: dict[str, str] = {}
        unknown[shown] = _unknown(routine, known, own)
        fingerprints |= {} if unknown[shown] else own
    return Routines(unknown, fingerprints)


def _called(trees: Iterable[exp.Expr]) -> Iterator[tuple[str, Name]]:
    """The calls of what is none of Spark's functions: the name as called, and its parts."""
    for tree in trees:
        for node in tree.find_all(exp.Anonymous):
            name = function_name(node)
            if isinstance(node, RoutineCall):
                yield name, node.names
            elif _is_bare(node):
                yield name, (name,)


def user_calls(text: str) -> tuple[tuple[str, Position], ...]:
    """The calls of what is none of Spark's functions, by a name without a schema, and where the name begins."""
    nodes = parse_select(text).find_all(exp.Anonymous)
    calls = [(function_name(call), int(call.meta[CALL][0])) for call in nodes if CALL in call.meta and _is_bare(call)]
    return tuple((name, span(text, begins, begins)) for name, begins in calls)


def _is_bare(node: exp.Anonymous) -> bool:
    return not isinstance(node, RoutineCall) and facts_of(function_name(node)).role is Role.NOT_BUILT_IN


def _body(routine: Routine) -> Optional[exp.Expr]:
    """The expression it returns; None where it cannot be parsed."""
    try:
        return parse_expression(routine.body)
    except InvalidView:
        return None


def _unknown(routine: Routine, known: Functions, fingerprints: dict[str, str]) -> str:
    """Why its result may change although its arguments do not. Adds to the fingerprints."""
    fingerprints[".".join(routine.name)] = routine.fingerprint
    if routine.unknown:
        return routine.unknown
    body = _body(routine)
    if body is None:
        return "what it computes cannot be read here"
    if body.find(exp.Query, exp.Table, exp.Values):
        return "it reads tables"
    for shown, name in _called([body]):
        inner = known.get(name)
        if inner is None or len(name) == 1:
            return f"it calls {shown}(), of which nothing is known"
        if ".".join(inner.name) not in fingerprints and (why := _unknown(inner, known, fingerprints)):
            return f"it calls {shown}(), and {why}"
    return next(_changing(body, routine), "")


def _changing(body: exp.Expr, routine: Routine) -> Iterator[str]:
    names = {routine.name[-1], *routine.parameters}
    for node in body.walk():
        if clock_reading(node) is not None:
            yield "it asks the clock"
        if isinstance(node, exp.Column) and node.parts[0].name.lower() not in names:
            yield f"it names {to_line(node)}, which is none of its parameters"
        if isinstance(node, exp.Func) and not isinstance(node, RoutineCall):
            refusal = refused_call(node, routine.body, {})
            if refusal is not None:
                yield f"it calls {function_name(node)}()"
