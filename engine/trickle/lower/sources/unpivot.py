"""UNPIVOT: every row repeated for each of the named columns, with that column's name and value.

rel UNPIVOT (v FOR n IN (a, b))
→ SELECT rest, 'a' AS n, a AS v FROM rel WHERE a IS NOT NULL UNION ALL SELECT rest, 'b', b … (but reading rel once)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from sqlglot import exp

from trickle.errors import InvalidView, Unsupported
from trickle.functions.argument_kinds import STRING, kind_of
from trickle.functions.operands import refuses_pair
from trickle.lower.names.scope import Scope, Visible
from trickle.lower.select.expressions import Binder
from trickle.lower.sources.joins import Placed
from trickle.operators import Explode, Filter, Project
from trickle.operators.explode import GENERATED_PREFIX
from trickle.plan.op import Op
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.plan.schema import UNKNOWN, Column
from trickle.reasons import reason
from trickle.sql.build import call, cast, column, integer, not_null, string
from trickle.types import is_castable, parse_type, type_text, widest


@dataclass(frozen=True)
class UnpivotItem:
    """One item of the IN list: a label, and its columns."""

    label: str
    columns: tuple[Visible, ...]


def lower_unpivot(placed: Placed, pivot: exp.Pivot, binder: Binder) -> Placed:
    """The relation with columns turned into rows."""
    op, scope = placed
    (field,) = pivot.args["fields"]
    items = [_unpivot_item(item, binder) for item in field.expressions]
    names = [visible.name for visible in _parts(pivot.expressions[0])]
    if any(len(item.columns) != len(names) for item in items):
        raise InvalidView(f"each item of UNPIVOT must have {len(names)} columns", binder.position(field))
    taken = {visible.internal for item in items for visible in item.columns}
    remaining = [visible for visible in scope.columns if visible.starred and visible.internal not in taken]
    fresh = binder.session.names.fresh
    number = Column(fresh(f"{GENERATED_PREFIX}turn"), "int")
    numbers = exp.Array(expressions=[integer(index) for index in range(len(items))])
    rows = Explode(op, Scalar(call("EXPLODE", numbers)), (number,), outer=False)
    label = Named(fresh(field.this.name), Scalar(_chosen(number.name, [string(item.label) for item in items])))
    values = [
        Named(
            fresh(name),
            Scalar(_chosen(number.name, _typed([item.columns[index] for item in items], name, field, binder))),
        )
        for index, name in enumerate(names)
    ]
    plan: Op = Project(
        rows, (*(Named(visible.internal, column_scalar(visible.internal)) for visible in remaining), label, *values)
    )
    if not pivot.args.get("include_nulls"):
        plan = Filter(plan, Scalar(_any_present([visible.name for visible in values])))
    generated = [(field.this.name, label), *zip(names, values)]
    result = Scope(
        (
            *remaining,
            *(Visible((), name, visible.name, plan.schema.type_of(visible.name)) for name, visible in generated),
        )
    )
    return plan, result.renamed((pivot.alias,)) if pivot.alias else result


def _unpivot_item(item: exp.Expr, binder: Binder) -> UnpivotItem:
    tree = item.this if isinstance(item, exp.PivotAlias) else item
    columns = []
    for part in _parts(tree):
        bound = binder.bind(part)
        if not isinstance(bound, exp.Column):
            raise Unsupported([reason("pivot", binder.position(item), what="UNPIVOT of a field")])
        columns.append(next(visible for visible in binder.scope.columns if visible.internal == bound.name))
    return UnpivotItem(item.alias or "_".join(visible.name for visible in columns), tuple(columns))


def _typed(columns: Sequence[Visible], name: str, node: exp.Expr, binder: Binder) -> list[exp.Expr]:
    """The columns, cast to their common type if their types differ."""
    kinds = {visible.type for visible in columns}
    if len(kinds) == 1:
        return [column(visible.internal) for visible in columns]
    types = [parse_type(visible.type) for visible in columns]
    common = widest(types)
    letters = {kind_of(kind) for kind in types}
    mixed = STRING in letters and not letters <= {STRING, ""}
    if mixed or any(refuses_pair("Union", left, right) for left, right in combinations(types, 2)):
        listed = ", ".join(sorted(kind.upper() for kind in kinds))
        message = f"UNPIVOT makes one column of columns with no type in common: {listed}"
        binder.session.note(node, message, "CAST them.")
    if not is_castable(common):
        code = "union_type_unknown" if UNKNOWN in kinds else "union_types"
        raise Unsupported([reason(code, None, what=name)])
    wanted = type_text(common)
    return [
        column(visible.internal) if visible.type == wanted else cast(column(visible.internal), wanted)
        for visible in columns
    ]


def _chosen(number: str, trees: Sequence[exp.Expr]) -> exp.Expr:
    """CASE number WHEN 0 THEN first …"""
    cases = [
        exp.If(this=exp.EQ(this=column(number), expression=integer(index)), true=tree)
        for index, tree in enumerate(trees)
    ]
    return exp.Case(ifs=cases)


def _any_present(names: Sequence[str]) -> exp.Expr:
    condition: exp.Expr = not_null(column(names[0]))
    for name in names[1:]:
        condition = exp.Or(this=condition, expression=not_null(column(name)))
    return condition


def _parts(tree: exp.Expr) -> list[exp.Expr]:
    return list(tree.expressions) if isinstance(tree, exp.Tuple) else [tree.unnest()]
