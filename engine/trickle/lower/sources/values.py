"""VALUES, and SELECT without FROM: constant rows."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from sqlglot import exp

from trickle.errors import InvalidView
from trickle.functions.argument_kinds import INTEGER, STRING, kind_of
from trickle.functions.operands import refuses_pair
from trickle.lower.names.scope import Scope
from trickle.lower.select.expressions import Binder
from trickle.lower.session import Lowered, Session
from trickle.operators import Values
from trickle.plan.expression_types import expression_type
from trickle.plan.op import Op
from trickle.plan.scalar import Scalar
from trickle.plan.schema import Column
from trickle.sql.build import cast, integer
from trickle.sql.parse import position_of
from trickle.types import Type, is_castable, type_text, widest


def lower_values(node: exp.Values, session: Session) -> Lowered:
    """VALUES: constant rows, each column of its values' common type; Spark names the columns col1, col2, …"""
    # Spark lets VALUES name no columns, not even outer ones.
    binder = Binder(Scope(()), replace(session, outer=None), {})
    rows = [[binder.bind(part) for part in _parts(row)] for row in node.expressions]
    if len({len(row) for row in rows}) != 1:
        raise InvalidView("the rows of VALUES have different numbers of columns", position_of(node, session.text))
    for column in zip(*rows):
        for left, right in combinations([expression_type(tree, {}) for tree in column], 2):
            if refuses_pair("Coalesce", left, right) or {kind_of(left), kind_of(right)} == {INTEGER, STRING}:
                both = f"{type_text(left).upper()} and {type_text(right).upper()}"
                message = f"a column of VALUES holds {both}, which Spark does not mix"
                session.note(node, message, "CAST them to one type.")
    kinds = [widest([expression_type(tree, {}) for tree in column]) for column in zip(*rows)]
    names = tuple((f"col{index + 1}", session.names.fresh(f"col{index + 1}")) for index in range(len(kinds)))
    columns = tuple(Column(internal, type_text(kind)) for (_, internal), kind in zip(names, kinds))
    trees = tuple(tuple(Scalar(_typed(tree, kind)) for tree, kind in zip(row, kinds)) for row in rows)
    return Lowered(Values(columns, trees), names)


def one_row(session: Session) -> Op:
    """A single row, for SELECT without FROM."""
    name = session.names.fresh("one_row")
    return Values((Column(name, "int"),), ((Scalar(integer(1)),),))


def _parts(row: exp.Expr) -> list[exp.Expr]:
    return list(row.expressions) if isinstance(row, exp.Tuple) else [row]


def _typed(tree: exp.Expr, kind: Type) -> exp.Expr:
    needs_cast = is_castable(kind) and expression_type(tree, {}) != kind
    return cast(tree, type_text(kind)) if needs_cast else tree
