"""Expands `*`, `t.*` and `* EXCEPT (…)` to columns, in a SELECT list and among the arguments of a call.

COUNT(*) counts rows. HASH(*), COUNT(DISTINCT *) and STRUCT(t.*) are expanded before columns get internal names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Optional

from sqlglot import exp

from trickle.errors import InvalidView, Position, Unsupported
from trickle.lower.names.scope import Scope, Visible
from trickle.plan.expression_types import expression_type
from trickle.reasons import reason
from trickle.sql.build import column
from trickle.sql.text import function_name
from trickle.types import UNKNOWN, Type, fields_by_name

_PLAIN = re.compile(r"\w+")

PositionOf = Callable[[exp.Expr], Optional[Position]]


def is_star(tree: object) -> bool:
    """`*` or `t.*`, with or without EXCEPT."""
    return isinstance(tree, exp.Star) or (isinstance(tree, exp.Column) and isinstance(tree.this, exp.Star))


def columns_of_star(tree: exp.Expr, scope: Scope, position: Optional[Position]) -> list[Visible]:
    """The columns of a star, in order."""
    star = tree if isinstance(tree, exp.Star) else tree.this
    if star.args.get("replace") or star.args.get("rename"):
        raise Unsupported([reason("clause", position, what="* REPLACE")])
    qualifier = [part.name for part in tree.parts[:-1]] if isinstance(tree, exp.Column) else []
    columns = scope.star(qualifier, position)
    hidden = {internal for part in _excepted(star) for internal in _left_out(part, Scope(tuple(columns)), position)}
    return [visible for visible in columns if visible.internal not in hidden]


def fields_of_star(tree: exp.Expr, scope: Scope, position: Optional[Position]) -> list[tuple[str, exp.Expr]]:
    """`s.*` of a struct column: its fields by name. [] for any other star."""
    parts = [part.name for part in tree.parts[:-1]] if isinstance(tree, exp.Column) else []
    if not parts or any(visible.matches_name(parts, visible.name) for visible in scope.columns):
        return []
    struct = scope.resolve(parts, position)
    kind = UNKNOWN if struct is None else expression_type(struct, scope.types())
    fields, excepted = _plain_fields(kind), _excepted(tree.this)
    deeper = any(isinstance(part, exp.Column) and part.table for part in excepted)
    if struct is None or not fields or deeper or tree.this.args.get("replace") or tree.this.args.get("rename"):
        return []
    left_out = {part.name.lower(): part.name for part in excepted}
    missing = [left_out[name] for name in left_out.keys() - {name.lower() for name in fields}]
    if missing:
        raise InvalidView(f"* EXCEPT names a field that is not there: {missing[0]}", position)
    names = [name for name in fields if name.lower() not in left_out]
    return [(name, exp.Dot(this=struct.copy(), expression=exp.to_identifier(name, quoted=True))) for name in names]


def _plain_fields(kind: Type) -> list[str]:
    """The names of a struct's fields; none where a table cannot store a column of such a name."""
    names = list(fields_by_name(kind))
    return names if all(_PLAIN.fullmatch(name) for name in names) else []


def _excepted(star: exp.Expr) -> list[exp.Expr]:
    return list(star.args.get("except_") or star.args.get("except") or [])


def _left_out(part: exp.Expr, scope: Scope, position: Optional[Position]) -> list[str]:
    parts = [part_name.name for part_name in part.parts] if isinstance(part, exp.Column) else [part.name]
    resolved = scope.resolve(parts, position)
    if resolved is None:
        name, shown = ".".join(parts), ", ".join(scope.names())
        raise InvalidView(
            f"* EXCEPT names a column that is not there: {name}", position, f"Visible here: {shown[:300]}."
        )
    if not isinstance(resolved, exp.Column):
        # A struct without a field: only Spark knows the types of the others.
        raise Unsupported([reason("clause", position, what="* EXCEPT (struct.field)")])
    return [resolved.name]


def with_stars_expanded(tree: exp.Expr, scope: Scope, position: PositionOf) -> exp.Expr:
    """The tree, which has no other owner, with the stars among arguments expanded."""
    return tree.transform(lambda node: _expanded(node, scope, position), copy=False)


def _expanded(node: exp.Expr, scope: Scope, position: PositionOf) -> exp.Expr:
    first, more = node.args.get("this"), node.args.get("expressions") or []
    if not isinstance(node, (exp.Func, exp.Distinct)) or not any(map(is_star, (first, *more))):
        return node
    if _counts_rows(node, first, more) or node.find_ancestor(exp.Query) is not None:
        # Stars in a subquery are expanded when it is bound, over its own columns.
        return node
    values = [
        value for part in (first, *more) if isinstance(part, exp.Expr) for value in _values(part, scope, position)
    ]
    if not isinstance(first, exp.Expr):
        node.set("expressions", values)
        return node
    if len(values) > 1 and "expressions" not in node.arg_types:
        message = f"{function_name(node)}() takes one value, and * stands for {len(values)} here"
        raise InvalidView(message, position(node), "Name the column.")
    node.set("this", values[0])
    if values[1:]:
        node.set("expressions", values[1:])
    return node


def _counts_rows(node: exp.Expr, first: object, more: Sequence[exp.Expr]) -> bool:
    return isinstance(node, exp.Count) and isinstance(first, exp.Star) and not more and not first.args.get("except_")


def _values(part: exp.Expr, scope: Scope, position: PositionOf) -> list[exp.Expr]:
    if not is_star(part):
        return [part]
    return [bound_column(visible) for visible in columns_of_star(part, scope, position(part))]


def bound_column(visible: Visible) -> exp.Expr:
    """A column under its internal name, marked as bound."""
    own = column(visible.internal)
    own.meta["trickle_bound"] = True
    return own
