"""Clauses around a call that this call does not take: WITHIN GROUP, IGNORE NULLS, OVER; and rows made inside."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from trickle.functions import WithinGroup, facts_of
from trickle.plan.make_deterministic import arguments, called, is_distinct
from trickle.plan.ties import window_function
from trickle.sql.text import function_name, to_line

Misuse = tuple[exp.Expr, str, str]


def miscalled_around(node: exp.Expr) -> Iterator[Misuse]:
    """Everything that is wrong around one call."""
    match node:
        case exp.WithinGroup() if isinstance(node.args.get("expression"), exp.Order):
            yield from _within_group(node, node.args["expression"])
        case exp.IgnoreNulls():
            name = function_name(called(node))
            if name and not facts_of(name).ignores_nulls:
                yield node, f"{name}() takes no IGNORE NULLS", "Leave it out, or use FILTER (WHERE … IS NOT NULL)."
        case exp.Window() if node.args.get("over"):
            name = function_name(window_function(node))
            position = facts_of(name).row_count
            given = arguments(window_function(node))
            if position is not None and len(given) > position and given[position].find(exp.Column):
                yield node, f"{name}() counts by a constant, not by a column", "Write a number."
            if facts_of(name).is_plain and isinstance(window_function(node), exp.Anonymous):
                yield node, f"{name}() is no window function", "Leave OVER out."
        case exp.Anonymous() if _lacks_order(node):
            yield node, f"{function_name(node)}() needs WITHIN GROUP (ORDER BY …)", "Say of which values."
        case exp.Lambda() if _is_lost(node):
            yield node, f"{function_name(node.parent)}() takes no lambda", "Give it a value."  # type: ignore[arg-type]
        case exp.Anonymous() if facts_of(function_name(node)).is_generator and _is_inside(node):
            message = f"{function_name(node)}() makes rows, and cannot stand within another expression"
            yield node, message, "Use LATERAL VIEW, or a derived table."
        case exp.Binary() if isinstance(node.this, exp.Star):
            yield node, "* stands for columns, and is no value", "Name the column."


def _within_group(node: exp.WithinGroup, order: exp.Order) -> Iterator[Misuse]:
    inner = called(node)
    name = function_name(inner)
    within_group = facts_of(name).within_group
    if name and within_group is WithinGroup.NEVER:
        yield node, f"{name}() takes no WITHIN GROUP", "Leave it out: the order of the rows does not matter to it."
    elif within_group in (WithinGroup.ONE_VALUE, WithinGroup.REQUIRED) and len(order.expressions) != 1:
        yield node, f"{name}() takes one value in WITHIN GROUP", "Order by the values it is computed of."
    elif isinstance(inner, exp.Anonymous) and is_distinct(inner):
        values = {to_line(value) for value in arguments(inner)[:1]}
        if {to_line(item.this) for item in order.expressions} - values:
            yield node, f"{name}(DISTINCT …) can only be in the order of its own values", "Order by the same value."


def _lacks_order(node: exp.Anonymous) -> bool:
    needs = facts_of(function_name(node)).within_group is WithinGroup.REQUIRED
    return needs and not isinstance(node.parent, exp.WithinGroup)


def _is_lost(node: exp.Lambda) -> bool:
    """Whether it is the argument of a function that takes no lambda."""
    if not isinstance(node.parent, exp.Anonymous):
        return False
    function = facts_of(function_name(node.parent))
    return function.is_plain and not function.lambda_parameters


def _is_inside(node: exp.Anonymous) -> bool:
    """Whether it is neither an item of a SELECT list, with or without an alias, nor a relation."""
    parent = node.parent
    if isinstance(parent, (exp.Alias, exp.Aliases)):
        parent = parent.parent
    return isinstance(parent, (exp.Condition, exp.Where, exp.Ordered, exp.Having)) and not isinstance(
        parent, exp.Subquery
    )
