"""What stands around a call, and may not around this one: WITHIN GROUP, IGNORE NULLS, OVER; and rows made inside."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from trickle.plan.functions import GENERATORS, SCALARS
from trickle.plan.make_deterministic import arguments, called, is_distinct
from trickle.plan.ties import window_function
from trickle.sql.text import function_name, to_line

Misuse = tuple[exp.Expr, str, str]

_ORDERED = frozenset({"listagg", "string_agg", "mode", "percentile_cont", "percentile_disc"})
_BY_ONE = frozenset({"mode", "percentile_cont", "percentile_disc"})
_NEEDS_ORDER = frozenset({"percentile_cont", "percentile_disc"})
_SKIPS_NULLS = frozenset(
    "any_value array_agg collect_list collect_set first first_value lag last last_value lead nth_value".split()
)
_CONSTANT = {"lag": 1, "lead": 1, "nth_value": 1, "ntile": 0}
"""Which of a window function's values is a number of rows."""
_HIGHER_ORDER = frozenset(
    """
    aggregate array_sort exists filter forall map_filter map_zip_with reduce transform transform_keys transform_values
    zip_with
    """.split()
)


def miscalled_around(node: exp.Expr) -> Iterator[Misuse]:
    """All that is wrong around one call."""
    match node:
        case exp.WithinGroup() if isinstance(node.args.get("expression"), exp.Order):
            yield from _within_group(node, node.args["expression"])
        case exp.IgnoreNulls():
            name = function_name(called(node))
            if name and name not in _SKIPS_NULLS:
                yield node, f"{name}() takes no IGNORE NULLS", "Leave it out, or use FILTER (WHERE … IS NOT NULL)."
        case exp.Window() if node.args.get("over"):
            name = function_name(window_function(node))
            place = _CONSTANT.get(name)
            given = arguments(window_function(node))
            if place is not None and len(given) > place and given[place].find(exp.Column):
                yield node, f"{name}() counts by a constant, not by a column", "Write a number."
            if name in SCALARS and isinstance(window_function(node), exp.Anonymous):
                yield node, f"{name}() is no window function", "Leave OVER out."
        case exp.Anonymous() if function_name(node) in _NEEDS_ORDER and not isinstance(node.parent, exp.WithinGroup):
            yield node, f"{function_name(node)}() needs WITHIN GROUP (ORDER BY …)", "Say of which values."
        case exp.Lambda() if _is_lost(node):
            yield node, f"{function_name(node.parent)}() takes no lambda", "Give it a value."  # type: ignore[arg-type]
        case exp.Anonymous() if function_name(node) in GENERATORS and _is_inside(node):
            told = f"{function_name(node)}() makes rows, and cannot stand within another expression"
            yield node, told, "Use LATERAL VIEW, or a derived table."
        case exp.Binary() if isinstance(node.this, exp.Star):
            yield node, "* stands for columns, and is no value", "Name the column."


def _within_group(node: exp.WithinGroup, order: exp.Order) -> Iterator[Misuse]:
    inner = called(node)
    name = function_name(inner)
    if name and name not in _ORDERED:
        yield node, f"{name}() takes no WITHIN GROUP", "Leave it out: the order of the rows does not matter to it."
    elif name in _BY_ONE and len(order.expressions) != 1:
        yield node, f"{name}() takes one value in WITHIN GROUP", "Order by the values it is computed of."
    elif isinstance(inner, exp.Anonymous) and is_distinct(inner):
        values = {to_line(one) for one in arguments(inner)[:1]}
        if {to_line(one.this) for one in order.expressions} - values:
            yield node, f"{name}(DISTINCT …) can only be in the order of its own values", "Order by the same value."


def _is_lost(node: exp.Lambda) -> bool:
    """Whether it is given to a function that calls nothing."""
    parent = node.parent
    return isinstance(parent, exp.Anonymous) and function_name(parent) in SCALARS - _HIGHER_ORDER


def _is_inside(node: exp.Anonymous) -> bool:
    """Whether it is neither an item of a SELECT list nor a relation: in the one it may still be called as it is."""
    parent = node.parent
    if isinstance(parent, (exp.Alias, exp.Aliases)):
        parent = parent.parent
    return isinstance(parent, (exp.Condition, exp.Where, exp.Ordered, exp.Having)) and not isinstance(
        parent, exp.Subquery
    )
