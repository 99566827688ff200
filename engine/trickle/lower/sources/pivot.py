"""PIVOT: a grouping by the remaining columns, with aggregates per value by FILTER.

rel PIVOT (SUM(x) FOR c IN (1, 2))
→ SELECT rest, SUM(x) FILTER (WHERE c <=> 1) AS `1`, SUM(x) FILTER (WHERE c <=> 2) AS `2` FROM rel GROUP BY rest
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Optional

from sqlglot import exp

from trickle.errors import InvalidView, Position, Unsupported
from trickle.functions import OverNoRows, facts_of
from trickle.lower.names.scope import Scope, Visible
from trickle.lower.select.expressions import Binder, has_aggregate, is_measure
from trickle.lower.select.grouping import Lifting
from trickle.lower.sources.joins import Placed
from trickle.operators import Aggregate, Project
from trickle.plan.expression_types import expression_type
from trickle.plan.make_deterministic import called
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.reasons import reason
from trickle.sql.build import all_of, case, cast, integer, operand, same
from trickle.sql.text import function_name, to_line
from trickle.types import Simple, Type, is_castable, is_known, is_number, type_text

_DAY = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True)
class Value:
    """One value of the IN list: its column name, and the condition of its rows."""

    name: str
    condition: exp.Expr


def lower_pivot(placed: Placed, pivot: exp.Pivot, binder: Binder) -> Placed:
    """The relation pivoted. Its remaining columns keep names and qualifiers, unless PIVOT has an alias."""
    op, scope = placed
    types = {schema_column.name: schema_column.type for schema_column in op.schema}
    position = binder.position(pivot)
    values = _values(pivot, binder, types)
    calls = [binder.bind(call.unalias()) for call in pivot.expressions]
    for original, tree in zip(pivot.expressions, calls):
        if not has_aggregate(tree):
            raise InvalidView("PIVOT needs an aggregate of the rows of each value", binder.position(original))
    used = {
        node.name for tree in [*calls, *(value.condition for value in values)] for node in tree.find_all(exp.Column)
    }
    remaining = [visible for visible in scope.columns if visible.starred and visible.internal not in used]
    keys = [
        Named(binder.session.names.fresh(visible.internal), column_scalar(visible.internal)) for visible in remaining
    ]
    guards = _guards(calls, types, position)
    lifting = Lifting(keys, binder.session)
    outputs: list[tuple[str, Named]] = []
    for value in values:
        for original, tree, guarded in zip(pivot.expressions, calls, guards):
            lifted = lifting.lift(_of_value(tree, value.condition, guarded))
            name = value.name if len(calls) == 1 else f"{value.name}_{original.alias or to_line(original).lower()}"
            outputs.append((name, Named(binder.session.names.fresh("pivoted"), Scalar(lifted))))
    grouped = Aggregate(op, tuple(keys), tuple(lifting.measures.values()))
    whole = Project(
        grouped, (*(Named(key.name, column_scalar(key.name)) for key in keys), *(output for _, output in outputs))
    )
    shown = [Visible(visible.qualifier, visible.name, key.name, visible.type) for visible, key in zip(remaining, keys)]
    pivoted = [Visible((), name, output.name, whole.schema.type_of(output.name)) for name, output in outputs]
    result = Scope((*shown, *pivoted))
    return whole, result.renamed((pivot.alias,)) if pivot.alias else result


def _of_value(tree: exp.Expr, condition: exp.Expr, guarded: bool) -> exp.Expr:
    """An expression over aggregates of the rows of one value; NULL where guarded and there are no rows."""
    inside = _of_rows(tree, condition)
    if not guarded:
        return inside
    rows = exp.Filter(this=exp.Count(this=exp.Star()), expression=exp.Where(this=condition.copy()))
    return case(exp.GT(this=rows, expression=integer(0)), inside, exp.Null())


def _of_rows(tree: exp.Expr, condition: exp.Expr) -> exp.Expr:
    """The expression with FILTER on each aggregate, in addition to its own FILTER."""
    if is_measure(tree):
        own_filter = tree.expression.this.copy() if isinstance(tree, exp.Filter) else None
        inner = tree.this if isinstance(tree, exp.Filter) else tree
        both = (
            condition.copy() if own_filter is None else exp.And(this=condition.copy(), expression=operand(own_filter))
        )
        return exp.Filter(this=inner.copy(), expression=exp.Where(this=both))
    rebuilt = tree.copy()
    for name, value in list(tree.args.items()):
        if isinstance(value, exp.Expr):
            rebuilt.set(name, _of_rows(value, condition))
        elif isinstance(value, list):
            rebuilt.set(name, [_of_rows(part, condition) if isinstance(part, exp.Expr) else part for part in value])
    return rebuilt


def _guards(calls: Sequence[exp.Expr], types: dict[str, str], position: Optional[Position]) -> list[bool]:
    """Whether a value without rows makes each aggregate NULL.

    It is NULL in Spark where all of them are numbers or booleans. Otherwise Spark evaluates them: COUNT is 0.
    """
    plain = [
        is_measure(tree) and facts_of(function_name(called(tree))).over_no_rows is OverNoRows.NULL for tree in calls
    ]
    kinds = [expression_type(tree, types) for tree in calls]
    if all(plain):
        return [False] * len(calls)
    if all(_is_small(kind) for kind in kinds):
        return [not is_null for is_null in plain]
    if not all(is_known(kind) for kind in kinds):
        raise Unsupported([reason("pivot", position, what="PIVOT of an aggregate whose type is not certain")])
    return [False] * len(calls)


def _is_small(kind: Type) -> bool:
    return kind is Simple.BOOLEAN or is_number(kind)


def _values(pivot: exp.Pivot, binder: Binder, types: dict[str, str]) -> list[Value]:
    (field,) = pivot.args["fields"]
    columns = [binder.bind(part) for part in _parts(field.this)]
    kinds = [expression_type(tree, types) for tree in columns]
    values = []
    for item in field.expressions:
        parts = _parts(item.unalias() if isinstance(item, exp.Alias) else item.this if _named(item) else item)
        texts = [_text(part) for part in parts]
        if None in texts or len(parts) != len(columns):
            raise Unsupported([reason("pivot", binder.position(item), what="PIVOT by values that are not literals")])
        matches = []
        for own, kind, part in zip(columns, kinds, parts):
            number = isinstance(part.unnest(), (exp.Literal, exp.Neg)) and not part.is_string
            if not is_known(kind) and number:
                problem = "PIVOT by a column whose type is not certain"
                raise Unsupported([reason("pivot", binder.position(item), what=problem)])
            value = cast(part.copy(), type_text(kind)) if is_castable(kind) else part.copy()
            matches.append(same(own.copy(), value))
        condition = all_of(matches)
        assert condition is not None
        text = ", ".join(str(part_text) for part_text in texts)
        values.append(Value(item.alias or (f"{{{text}}}" if len(texts) > 1 else text), condition))
    return values


def _named(item: exp.Expr) -> bool:
    return isinstance(item, exp.PivotAlias)


def _parts(tree: exp.Expr) -> list[exp.Expr]:
    return list(tree.expressions) if isinstance(tree, exp.Tuple) else [tree]


def _text(tree: exp.Expr) -> Optional[str]:
    """A literal as Spark names a column by it; None for any other tree, and for literals with several text forms."""
    match tree:
        case exp.Literal() if tree.is_string or "e" not in str(tree.this).lower():
            return str(tree.this)
        case exp.Neg() if isinstance(tree.this, exp.Literal) and not tree.this.is_string:
            return f"-{tree.this.this}"
        case exp.Boolean():
            return str(tree.this).lower()
        case exp.Null():
            return "null"
        case exp.Cast() if isinstance(tree.this, exp.Literal) and _DAY.fullmatch(str(tree.this.this)):
            return str(tree.this.this)
        case _:
            return None
