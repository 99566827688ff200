"""refusals: every construct of a query without an incremental form, each with its position and its reason."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Optional

from sqlglot import exp
from typing_extensions import assert_never

from trickle.errors import InvalidView, Reason
from trickle.functions import Determinism, Function, Role, facts_of
from trickle.lower.refusals.misuse import refuse_misuse
from trickle.lower.select.clock import hidden_by_a_column
from trickle.lower.select.counted import RANGE
from trickle.lower.select.expressions import is_windowed
from trickle.lower.select.order_below import refuse_order_below
from trickle.lower.windows.time_windows import TIME_WINDOWS, can_be_column
from trickle.plan.clock import clock_reading
from trickle.plan.ties import unbreakable, window_function
from trickle.reasons import reason
from trickle.sql.parse import position_of, span
from trickle.sql.routines import CALL
from trickle.sql.text import function_name, to_line

_SELECT_CLAUSES = {
    "with_",
    "expressions",
    "hint",
    "distinct",
    "from_",
    "joins",
    "where",
    "group",
    "having",
    "order",
    "limit",
    "offset",
    "windows",
    "qualify",
    "laterals",
}
_SUBSTITUTED = re.compile(r"\$\{(\w+:)?\S+?\}")
"""Text that Spark replaces, in literals too, by a setting or an environment variable."""
NO_ROUTINES: Mapping[str, str] = MappingProxyType({})
_DISTRIBUTION_CLAUSES = {"sort", "cluster", "distribute"}
"""Clauses that distribute rows and do not change them, except with LIMIT."""
_INSTANTS = ("now", "today", "yesterday", "tomorrow")
_SET_CLAUSES = {"with_", "this", "expression", "distinct", "by_name", "order", "limit", "offset"}
_TABLE_CLAUSES = {"this", "alias", "db", "catalog", "version", "joins", "sample", "pivots", "laterals"}


def refusals(tree: exp.Query, text: str, routines: Mapping[str, str] = NO_ROUTINES) -> tuple[Reason, ...]:
    """All reasons, in the order of the text, one per code and position: of two at one position, the outer one.

    `routines`: users' functions as they are called → why their answers may change; empty where they may not.
    """
    refuse_misuse(tree, text)
    return refused(tree, text, routines)


def refused(tree: exp.Query, text: str, routines: Mapping[str, str] = NO_ROUTINES) -> tuple[Reason, ...]:
    """The same for a query that Spark is known to accept."""
    reasons: dict[tuple[str, int], Reason] = {}
    for match in _SUBSTITUTED.finditer(text):
        item = reason("session_function", span(text, match.start(), match.end() - 1), what=match[0])
        reasons[item.code, match.start()] = item
    for node in tree.walk():
        for item in _refuse(node, text, routines):
            reasons.setdefault((item.code, _offset(item)), item)
    return tuple(sorted(reasons.values(), key=_offset))


def _offset(item: Reason) -> int:
    return item.position.start if item.position else -1


def _refuse(node: exp.Expr, text: str, routines: Mapping[str, str]) -> Iterator[Reason]:
    position = position_of(node, text)
    match node:
        case exp.Window() if node.args.get("over"):
            yield from _refuse_window(node, text)
        case exp.Pivot() if _pivots_join(node):
            yield reason("pivot", position, what="PIVOT or UNPIVOT after a join without ON")
        case exp.TableSample():
            yield reason("sample", position)
        case exp.Fetch():
            yield reason("clause", position, what="FETCH")
        case exp.Table():
            yield from _refuse_table(node, text)
        case exp.Join():
            yield from _refuse_join(node, text)
        case exp.Group() if node.args.get("totals"):
            yield reason("clause", position_of(node, text), what="WITH TOTALS")
        case exp.Any() | exp.All() if not isinstance(node.parent, (exp.Like, exp.ILike)) and not _is_over_subquery(
            node
        ):
            yield reason("clause", position, what=f"{type(node).__name__.upper()}(…)")
        case exp.Collate() if not _only_compares(node):
            yield reason("collation", position, what=to_line(node)[:80])
        case exp.Func() if (refused_reason := refused_call(node, text, routines)) is not None:
            yield refused_reason
        case exp.Column() if any(part.name.lower() == "_metadata" for part in node.parts):
            yield reason("file_metadata", position, what=to_line(node))
        case _:
            pass
    if isinstance(node, exp.Select):
        yield from refuse_order_below(node, text)
    yield from _refuse_clauses(node, text)


def _only_compares(node: exp.Expr) -> bool:
    """Whether a collation decides nothing but a condition on one column: not what is shown, grouped by or joined on."""
    collation = node.expression.name if isinstance(node, exp.Collate) else node.expressions[-1].name
    if collation.upper() == "UTF8_BINARY":
        return True
    inside = node.find_ancestor(exp.Predicate, exp.Query)
    if not isinstance(inside, exp.Predicate) or inside.find(exp.Query):
        return False
    names = {to_line(column) for column in inside.find_all(exp.Column)} - {collation}
    return len(names) <= 1


def _is_over_subquery(quantifier: exp.Any | exp.All) -> bool:
    """Whether it compares with a subquery: that is an error in Spark, not a question of maintenance."""
    return isinstance(quantifier.this.unnest(), exp.Query)


def _pivots_join(node: exp.Pivot) -> bool:
    """Whether it follows a relation that is joined without ON.

    After a comma it pivots that relation alone, after CROSS JOIN the whole join: the parser does not distinguish them.
    """
    return node.parent is not None and isinstance(node.parent.parent, exp.Join)


def _refuse_clauses(node: exp.Expr, text: str) -> Iterator[Reason]:
    """Unknown clauses are refused by name, never dropped."""
    known = (
        _SELECT_CLAUSES
        if isinstance(node, exp.Select)
        else _SET_CLAUSES
        if isinstance(node, exp.SetOperation)
        else None
    )
    if known is None:
        return
    if not node.args.get("limit") and not node.args.get("offset"):
        known = known | _DISTRIBUTION_CLAUSES
    for name, value in node.args.items():
        if value and name not in known and name not in ("laterals", "pivots", "sample"):
            part = value[0] if isinstance(value, list) else value
            position = position_of(part if isinstance(part, exp.Expr) else node, text)
            yield reason("clause", position, what=name.rstrip("_").upper())


def _refuse_table(node: exp.Table, text: str) -> Iterator[Reason]:
    position = position_of(node, text)
    if not isinstance(node.this, exp.Identifier):
        name = function_name(node.this)
        if name != RANGE and not facts_of(name).is_generator:
            yield reason("table_function", position, what=name or "this relation")
    if node.args.get("version") or node.args.get("when") or node.args.get("changes"):
        yield reason("time_travel", position, what=node.name)
    for name, value in node.args.items():
        if value and name not in _TABLE_CLAUSES and name not in ("when", "changes"):
            yield reason("clause", position, what=name.rstrip("_").upper())


def _refuse_join(node: exp.Join, text: str) -> Iterator[Reason]:
    known = node.kind in ("", "INNER", "CROSS", "OUTER", "SEMI", "ANTI") and node.side in ("", "LEFT", "RIGHT", "FULL")
    backwards = node.side == "RIGHT" and node.kind in ("SEMI", "ANTI")
    if not known or backwards or (node.method and node.method != "NATURAL"):
        words = " ".join(part for part in (node.method, node.side, node.kind, "JOIN") if part)
        yield reason("clause", position_of(node, text), what=words)


def _refuse_window(node: exp.Window, text: str) -> Iterator[Reason]:
    function = f"{function_name(window_function(node))}() OVER"
    if unbreakable(node):
        yield reason("window_ties", position_of(node, text), what=function)


def _is_whole_item(node: exp.Expr) -> bool:
    """Whether a generator is a whole item of a SELECT list, a view beside FROM, or a relation."""
    parent = node.parent
    if isinstance(parent, (exp.Alias, exp.Aliases)):
        parent = parent.parent
    return isinstance(parent, (exp.Select, exp.Lateral, exp.Table))


def _names_an_instant(node: exp.Func) -> bool:
    """DATE 'today', CAST('now' AS TIMESTAMP): texts that Spark reads as the instant of the run."""
    if isinstance(node, exp.Cast):
        to_instant = node.to.is_type("date", "timestamp", "timestamptz", "timestampltz", "timestampntz")
        given = [node.this] if to_instant else []
    else:
        given = node.expressions if facts_of(function_name(node)).reads_instants else []
    return any(isinstance(part, exp.Literal) and str(part.this).strip().lower() in _INSTANTS for part in given)


def refused_call(node: exp.Func, text: str, routines: Mapping[str, str]) -> Optional[Reason]:
    """Why one call is not maintained; None where it is."""
    name = function_name(node)
    function = facts_of(name)
    position = position_of(node, text)
    shown = f"{name}()"
    if is_windowed(node) and (function.role is Role.WINDOW or function.is_made_deterministic):
        return None
    if (code := _never_maintained(function)) is not None:
        return reason(code, position, what=shown)
    if name == "collate" and len(node.expressions) == 2 and not _only_compares(node):
        return reason("collation", position, what=to_line(node)[:80])
    if clock_reading(node) is not None:
        root = node.root()
        hidden = isinstance(root, exp.Query) and hidden_by_a_column(node, root)
        return reason("reads_differently", span(text, *node.meta[CALL])) if hidden else None
    if function.determinism is Determinism.CLOCK:
        return reason("clock_function", position, what=shown)
    if _names_an_instant(node):
        whole = span(text, *node.meta[CALL]) if CALL in node.meta else position
        return reason("clock_function", whole, what=to_line(node))
    if function.is_generator:
        return None if _is_whole_item(node) else reason("row_generator", position, what=shown)
    if (name in TIME_WINDOWS and can_be_column(node)) or (name == RANGE and isinstance(node.parent, exp.Table)):
        return None
    if function.role is Role.TIME_WINDOW:
        return reason("row_generator", position, what=shown)
    if function.role is Role.WINDOW:
        raise InvalidView(f"{shown} says nothing without OVER (…)", position)
    if not isinstance(node, exp.Anonymous) or function.role is not Role.NOT_BUILT_IN:
        return None
    why = routines.get(name)
    if why is None:
        return reason("unknown_function", position, what=shown)
    return reason("user_function", position, what=shown, detail=why) if why else None


def _never_maintained(function: Function) -> Optional[str]:
    """The reason that calls of the function are never maintained, wherever they are; None for most functions."""
    match function.determinism:
        case Determinism.RANDOM:
            return "volatile_function"
        case Determinism.FILE:
            return "file_metadata"
        case Determinism.FOREIGN:
            return "unknown_function"
        case Determinism.SESSION:
            return "session_function"
        case Determinism.ORDER:
            return "order_sensitive_aggregate" if function.ties is None else None
        case Determinism.DETERMINISTIC | Determinism.CLOCK | Determinism.UNKNOWN:
            return None
        case _:
            assert_never(function.determinism)
