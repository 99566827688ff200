"""Functions and clauses where Spark does not allow them, whatever the data is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Optional

from sqlglot import exp

from trickle.errors import InvalidView
from trickle.functions import Role, Ties, facts_of
from trickle.lower.refusals.call_misuse import miscalled_around
from trickle.lower.refusals.frame_misuse import misframed
from trickle.lower.refusals.join_misuse import misjoined
from trickle.lower.select.expressions import is_aggregate, is_windowed
from trickle.plan.make_deterministic import arguments, called
from trickle.plan.ties import window_function
from trickle.sql.parse import position_of
from trickle.sql.text import function_name

_DERIVED = "Compute it in a derived table."


def refuse_misuse(tree: exp.Query, text: str) -> None:
    """Raise for the first one in the query."""
    for node in tree.walk():
        joined = misjoined(node) if isinstance(node, exp.Join) else iter(())
        for part, message, remedy in chain(_misuses(node), joined, miscalled_around(node)):
            raise InvalidView(message, position_of(part, text), remedy)


Misuse = tuple[exp.Expr, str, str]


def _misuses(node: exp.Expr) -> Iterator[Misuse]:
    match node:
        case exp.Where() if isinstance(node.parent, exp.Select):
            yield from _windows_in(node, "WHERE", "Use QUALIFY, or compute it in a derived table.")
        case exp.Group():
            yield from _windows_in(node, "GROUP BY", _DERIVED)
        case exp.Having():
            yield from _windows_in(node, "HAVING", "Use QUALIFY, or compute it in a derived table.")
        case exp.Ordered() if (
            isinstance(node.parent, exp.Order) and isinstance(node.parent.parent, exp.Query) and _tests_a_subquery(node)
        ):
            yield node, "ORDER BY cannot ask a subquery whether it has rows", "Show it as a column, and order by that."
        case exp.Join() if node.method == "NATURAL" and (node.args.get("on") or node.args.get("using")):
            yield node, "a NATURAL join takes no condition: it says itself what is equal", "Leave one of them out."
        case exp.Join() if node.args.get("on") is not None:
            yield from _windows_in(node.args["on"], "ON", _DERIVED)
            for part in _within(node.args["on"]):
                if is_aggregate(part) and not is_windowed(part):
                    yield part, "an aggregate cannot stand in ON", "Use HAVING, or join to a derived table that groups."
        case exp.With():
            count = Counter(cte.alias.lower() for cte in node.expressions)
            twice = next((cte for cte in node.expressions if count[cte.alias.lower()] > 1), None)
            if twice is not None:
                yield twice.args["alias"], f"two queries of one WITH are called {twice.alias}", "Rename one of them."
        case exp.Select() | exp.SetOperation() if len(_orders(node)) > 1 and _orders(node) != ["sort", "distribute"]:
            words = " and ".join(f"{clause.upper()} BY" for clause in _orders(node))
            yield node.args[_orders(node)[-1]], f"{words} do not go together", "Leave one of them out."
        case exp.Select() if node.args.get("qualify") is not None:
            clauses = (*node.expressions, node.args["qualify"])
            if not any(isinstance(part, exp.Window) for clause in clauses for part in _within(clause)):
                yield node.args["qualify"], "QUALIFY asks for no window function", "Use WHERE or HAVING."
        case _:
            yield from _miscalled(node)


def _miscalled(node: exp.Expr) -> Iterator[Misuse]:
    if fewest := _missing(node):
        number = "an argument" if fewest == 1 else f"{fewest} arguments"
        yield node, f"{function_name(node)}() takes {number} at least", "Add what is missing."
    match node:
        case exp.Count() if _of_table(node.this):
            yield node, "Spark does not count one table's *", "Use COUNT(*), or name the columns that must have values."
        case exp.WithinGroup() if node.args.get("expression") is None:
            yield node, "WITHIN GROUP needs an ORDER BY", "Say by what the values are put in order."
        case exp.Interval() if node.args.get("unit") is None and str(node.name).strip().isdigit():
            yield node.parent or node, f"INTERVAL {node.name} has no unit", "Say of what it is: DAYS, for one."
        case exp.Anonymous() if function_name(node) == "exists" and not node.expressions:
            yield node, "EXISTS () asks nothing", "Leave the condition out, or write FALSE."
        case exp.In() if any(isinstance(value, exp.Values) for value in node.expressions):
            yield node, "Spark takes VALUES within IN for a function", "Write the values alone, or SELECT * FROM them."
        case exp.Window() if node.args.get("over"):
            yield from _window(node)
        case exp.Filter():
            yield from _filter(node)
        case exp.In() if not any(node.args.get(name) for name in ("expressions", "query", "unnest", "field")):
            yield node, "IN () compares with nothing", "Leave the condition out, or write FALSE."
        case exp.Anonymous() if facts_of(function_name(node)).role is Role.GROUPING and not _is_in_grouping_sets(node):
            message = f"{function_name(node)}() needs GROUPING SETS, ROLLUP or CUBE in GROUP BY"
            yield node, message, "Add one of them, or leave the call out."
    if is_aggregate(node) and not is_windowed(node):
        yield from _windows_in(node, "an aggregate", _DERIVED)


def _missing(node: exp.Expr) -> int:
    """How many arguments a call takes at least, where it has fewer; 0 where it has enough.

    Of functions of one row type_mismatches counts the arguments, which knows calls that have a syntax of their own.
    """
    if isinstance(node, exp.Count):
        counted = node.this.expressions if isinstance(node.this, exp.Distinct) else node.this
        return 0 if counted else 1
    if not isinstance(node, exp.Anonymous):
        return 0
    function = facts_of(function_name(node))
    of_rows = function.is_aggregate or function.is_generator or function.role is Role.WINDOW
    return function.fewest if of_rows and len(arguments(node)) < function.fewest else 0


def _orders(node: exp.Expr) -> list[str]:
    return [name for name in ("order", "sort", "cluster", "distribute") if node.args.get(name)]


def _of_table(tree: Optional[exp.Expr]) -> bool:
    """t.*"""
    return isinstance(tree, exp.Column) and isinstance(tree.this, exp.Star) and bool(tree.table)


def _within(tree: exp.Expr) -> Iterator[exp.Expr]:
    """All nodes of the same query."""
    return tree.walk(prune=lambda node: isinstance(node, exp.Query))


def _tests_a_subquery(node: exp.Ordered) -> bool:
    """EXISTS or IN of a subquery, anywhere in the expression rows are ordered by."""
    tests = (part for part in _within(node.this) if isinstance(part, (exp.Exists, exp.In)))
    return any(isinstance(test.this, exp.Query) or test.args.get("query") is not None for test in tests)


def _windows_in(tree: exp.Expr, where: str, remedy: str) -> Iterator[Misuse]:
    for part in _within(tree):
        if isinstance(part, exp.Window) and part.args.get("over"):
            yield part, f"a window function cannot stand in {where}", remedy


def _window(node: exp.Window) -> Iterator[Misuse]:
    inner = window_function(node)
    name = function_name(inner)
    given = inner.args.get("this"), *(inner.args.get("expressions") or ())
    if any(isinstance(argument, exp.Distinct) for argument in given):
        yield node, f"{name}(DISTINCT …) cannot be a window function", "Collect the values, and count those."
    if facts_of(name).ties in (Ties.SHARED, Ties.BY_ROW) and not node.args.get("order") and not node.args.get("alias"):
        yield node, f"{name}() OVER needs an ORDER BY", "Say by what the rows are put in order."
    yield from misframed(node)


def _filter(node: exp.Filter) -> Iterator[Misuse]:
    inner = called(node)
    # A user's function may be an aggregate: only Spark's own are known not to be.
    users = isinstance(inner, exp.Anonymous) and facts_of(function_name(inner)).role is Role.NOT_BUILT_IN
    if not users and not is_aggregate(inner) and not isinstance(inner, exp.Window):
        yield node, f"{function_name(inner) or 'this'}() is no aggregate, and takes no FILTER", "Use CASE WHEN."
    for part in _within(node.expression):
        if isinstance(part, exp.Window) or is_aggregate(part):
            yield node, "FILTER holds an aggregate or a window function", _DERIVED


def _is_in_grouping_sets(node: exp.Expr) -> bool:
    select = node.find_ancestor(exp.Select)
    group = select.args.get("group") if select is not None else None
    if group is None:
        return False
    nodes = (exp.Rollup, exp.Cube, exp.GroupingSets)
    written = any(isinstance(key, nodes) for key in group.expressions)
    return written or any(group.args.get(name) for name in ("rollup", "cube", "grouping_sets"))
