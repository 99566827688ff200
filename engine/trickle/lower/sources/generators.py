"""Functions that make rows: the columns they make, and their names where the user gives none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from sqlglot import exp

from trickle.errors import InvalidView, Unsupported
from trickle.functions import facts_of
from trickle.functions.argument_kinds import STRUCT, kind_of
from trickle.lower.names.scope import Scope, Visible
from trickle.lower.select.expressions import Binder
from trickle.operators import Explode
from trickle.operators.explode import GENERATED_PREFIX, KEEPS_EMPTY
from trickle.plan.expression_types import expression_type
from trickle.plan.op import Op
from trickle.plan.scalar import Scalar
from trickle.plan.schema import Column
from trickle.reasons import reason
from trickle.sql.text import function_name
from trickle.types import (
    STRING,
    UNKNOWN,
    Array,
    Map,
    Simple,
    Type,
    element_of,
    fields_by_name,
    type_text,
)


@dataclass(frozen=True)
class GeneratedColumns:
    """The columns of a generator: their names for users, and the plan's columns."""

    generator: exp.Expr
    names: tuple[str, ...]
    columns: tuple[Column, ...]
    outer: bool

    def over(self, op: Op, generator: exp.Expr) -> Op:
        return Explode(op, Scalar(generator), self.columns, self.outer)


def is_generator(tree: exp.Expr) -> bool:
    return isinstance(tree, exp.Anonymous) and facts_of(function_name(tree)).is_generator


def generates_from_one_row(tree: exp.Expr) -> bool:
    """Whether it is a generator in FROM, or a subquery of one: Spark's optimizer merges both into the outer row."""
    match tree:
        case exp.Subquery() | exp.Table() if not isinstance(tree.this, exp.Identifier):
            return generates_from_one_row(tree.this)
        case exp.Select():
            clauses = {name for name, value in tree.args.items() if value} - {"expressions", "from_"}
            if clauses:
                return False
            source = tree.args.get("from_")
            if isinstance(source, exp.From):
                return generates_from_one_row(source.this)
            return any(generates_from_one_row(item.unalias()) for item in tree.expressions)
        case _:
            return is_generator(tree) and not function_name(tree).endswith(KEEPS_EMPTY)


def lower_lateral_view(op: Op, scope: Scope, node: exp.Lateral, binder: Binder, outer: bool) -> tuple[Op, Scope]:
    """LATERAL VIEW f(…) t AS a, b, or LATERAL f(…) AS t(a, b) in a join."""
    alias = node.args.get("alias")
    given = [part.name for part in alias.args.get("columns") or []] if isinstance(alias, exp.TableAlias) else []
    generated = generated_columns(node.this, given, binder, op)
    qualifier = (alias.name,) if isinstance(alias, exp.TableAlias) and alias.name else ()
    shown = Scope(
        tuple(Visible(qualifier, name, own.name, own.type) for name, own in zip(generated.names, generated.columns))
    )
    keeps = outer or generated.outer
    return Explode(op, Scalar(generated.generator), generated.columns, keeps), scope + shown


def generated_columns(tree: exp.Expr, given: list[str], binder: Binder, op: Op) -> GeneratedColumns:
    """A bound call of a generator, with its columns."""
    position = binder.position(tree)
    name = function_name(tree)
    function = facts_of(name)
    if function.is_plain or function.is_exact or function.is_made_deterministic:
        raise InvalidView(f"{name}() makes no rows", position, "Use a generator, such as EXPLODE.")
    if not is_generator(tree):
        raise Unsupported([reason("table_function", position, what=name or "this relation")])
    outer = name.endswith(KEEPS_EMPTY)
    bound = binder.bind(tree)
    kind = _argument_type(bound, op)
    wrong_kind = kind_of(kind) not in ("", *function.makes_rows_of)
    if function.makes_rows_of and (wrong_kind or (name == "inline" and _is_plain(kind))):
        binder.session.note(tree, f"{name}() makes no rows of a value of type {type_text(kind).upper()}")
    names = _natural_names(name.removesuffix(KEEPS_EMPTY), bound, kind)
    if given and names and len(given) != len(names):
        raise InvalidView(f"{name}() makes {len(names)} columns, not {len(given)}", position)
    if not given and not names:
        raise Unsupported([reason("unresolved_name", position, what=f"of the columns of {name}()")])
    shown = tuple(given or names or ())
    types = _types(name.removesuffix(KEEPS_EMPTY), kind, len(shown))
    fresh = binder.session.names.fresh
    columns = tuple(
        Column(fresh(f"{GENERATED_PREFIX}{column}"), type_text(own_type)) for column, own_type in zip(shown, types)
    )
    return GeneratedColumns(_without_suffix(bound), shown, columns, outer)


def _is_plain(kind: Type) -> bool:
    """An array of values that are surely no structs."""
    return kind_of(element_of(kind)) not in ("", STRUCT)


def _without_suffix(tree: exp.Expr) -> exp.Expr:
    plain = tree.copy()
    plain.set("this", str(tree.this)[: -len(KEEPS_EMPTY)] if function_name(tree).endswith(KEEPS_EMPTY) else tree.this)
    return plain


def _argument_type(bound: exp.Expr, op: Op) -> Type:
    types = {column.name: column.type for column in op.schema}
    if not bound.expressions:
        return UNKNOWN
    first = bound.expressions[0]
    if isinstance(first, exp.Array):
        inner = {expression_type(part, types) for part in first.expressions}
        return Array(inner.pop() if len(inner) == 1 else UNKNOWN)
    return expression_type(first, types)


def _natural_names(name: str, bound: exp.Expr, kind: Type) -> Optional[list[str]]:
    """Spark's names of the columns; None where only Spark knows their number."""
    many = ["pos"] if name == "posexplode" else []
    match name:
        case "explode" | "posexplode" if isinstance(kind, Array):
            return [*many, "col"]
        case "explode" | "posexplode" if isinstance(kind, Map):
            return [*many, "key", "value"]
        case "inline" if fields_by_name(element_of(kind)):
            return list(fields_by_name(element_of(kind)))
        case "stack" if isinstance(bound.expressions[0], exp.Literal):
            rows = int(str(bound.expressions[0].this))
            if rows < 1:
                raise InvalidView("STACK(0, …) makes no rows", None, "Say how many rows the values are.")
            return [f"col{index}" for index in range(-(-(len(bound.expressions) - 1) // rows))]
        case "variant_explode":
            return ["pos", "key", "value"]
        case "json_tuple":
            return [f"c{index}" for index in range(len(bound.expressions) - 1)]
        case _:
            return None


def _types(name: str, kind: Type, count: int) -> list[Type]:
    element = kind.element if isinstance(kind, Array) else UNKNOWN
    fields = list(fields_by_name(element).values())
    match name, count:
        case "explode", 1:
            return [element]
        case "posexplode", 2:
            return [Simple.INT, element]
        case "inline", _ if count == len(fields):
            return fields
        case "variant_explode", 3:
            return [Simple.INT, STRING, Simple.VARIANT]
        case "json_tuple", _:
            return [STRING] * count
        case _:
            return [UNKNOWN] * count
