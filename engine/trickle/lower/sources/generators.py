"""Functions that make rows: what columns they make, and their names where the user gives none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from sqlglot import exp

from trickle.errors import InvalidView, Unsupported
from trickle.lower.names.scope import Scope, Visible
from trickle.lower.select.expressions import Binder
from trickle.operators import Explode
from trickle.operators.explode import KEEPS_EMPTY, MADE
from trickle.plan.functions import EXACT_AGGREGATES, GENERATORS, SCALARS, SETTLED_AGGREGATES
from trickle.plan.kinds import element_of, fields_by_name
from trickle.plan.op import Op
from trickle.plan.scalar import Scalar
from trickle.plan.schema import UNKNOWN, Column
from trickle.plan.signatures import kind_of
from trickle.plan.types import type_of
from trickle.reasons import reason
from trickle.sql.text import function_name


@dataclass(frozen=True)
class Made:
    """The columns a generator makes: how users call them, and what the plan calls them."""

    generator: exp.Expr
    names: tuple[str, ...]
    columns: tuple[Column, ...]
    outer: bool

    def over(self, op: Op, generator: exp.Expr) -> Op:
        return Explode(op, Scalar(generator), self.columns, self.outer)


def is_generator(tree: exp.Expr) -> bool:
    return isinstance(tree, exp.Anonymous) and function_name(tree) in GENERATORS


def made_of_one_row(tree: exp.Expr) -> bool:
    """A generator in FROM, or in a subquery that reads nothing else: Spark's optimizer puts both into the outer row."""
    match tree:
        case exp.Subquery() | exp.Table() if not isinstance(tree.this, exp.Identifier):
            return made_of_one_row(tree.this)
        case exp.Select():
            clauses = {name for name, value in tree.args.items() if value} - {"expressions", "from_"}
            if clauses:
                return False
            source = tree.args.get("from_")
            if isinstance(source, exp.From):
                return made_of_one_row(source.this)
            return any(made_of_one_row(item.unalias()) for item in tree.expressions)
        case _:
            return is_generator(tree) and not function_name(tree).endswith(KEEPS_EMPTY)


def lower_lateral_view(op: Op, scope: Scope, node: exp.Lateral, binder: Binder, outer: bool) -> tuple[Op, Scope]:
    """LATERAL VIEW f(…) t AS a, b — and LATERAL f(…) AS t(a, b) beside a join."""
    alias = node.args.get("alias")
    given = [part.name for part in alias.args.get("columns") or []] if isinstance(alias, exp.TableAlias) else []
    made = made_by(node.this, given, binder, op)
    qualifier = (alias.name,) if isinstance(alias, exp.TableAlias) and alias.name else ()
    shown = Scope(tuple(Visible(qualifier, name, one.name, one.type) for name, one in zip(made.names, made.columns)))
    keeps = outer or made.outer
    return Explode(op, Scalar(made.generator), made.columns, keeps), scope + shown


def made_by(tree: exp.Expr, given: list[str], binder: Binder, op: Op) -> Made:
    """A call of a generator, bound, with its columns named."""
    place = binder.place(tree)
    name = function_name(tree)
    if name in SCALARS | EXACT_AGGREGATES | SETTLED_AGGREGATES:
        raise InvalidView(f"{name}() makes no rows", place, "Use a generator, such as EXPLODE.")
    if not is_generator(tree):
        raise Unsupported([reason("table_function", place, what=name or "this relation")])
    outer = name.endswith(KEEPS_EMPTY)
    bound = binder.bind(tree)
    kind = _argument_type(bound, op)
    wanted = {"explode": "am", "posexplode": "am", "inline": "a"}.get(name.removesuffix(KEEPS_EMPTY))
    if wanted is not None and (kind_of(kind) not in ("", *wanted) or (name == "inline" and _is_plain(kind))):
        binder.session.note(tree, f"{name}() makes no rows of a value of type {kind.upper()}")
    names = _natural_names(name.removesuffix(KEEPS_EMPTY), bound, kind)
    if given and names and len(given) != len(names):
        raise InvalidView(f"{name}() makes {len(names)} columns, not {len(given)}", place)
    if not given and not names:
        raise Unsupported([reason("unresolved_name", place, what=f"of the columns of {name}()")])
    shown = tuple(given or names or ())
    types = _types(name.removesuffix(KEEPS_EMPTY), kind, len(shown))
    columns = tuple(
        Column(binder.session.names.fresh(f"{MADE}{one}"), type_text) for one, type_text in zip(shown, types)
    )
    return Made(_without_suffix(bound), shown, columns, outer)


def _is_plain(kind: str) -> bool:
    """An array of what is surely no struct."""
    return kind_of(element_of(kind)) not in ("", "t")


def _without_suffix(tree: exp.Expr) -> exp.Expr:
    plain = tree.copy()
    plain.set("this", str(tree.this)[: -len(KEEPS_EMPTY)] if function_name(tree).endswith(KEEPS_EMPTY) else tree.this)
    return plain


def _argument_type(bound: exp.Expr, op: Op) -> str:
    types = {one.name: one.type for one in op.schema}
    if not bound.expressions:
        return UNKNOWN
    first = bound.expressions[0]
    if isinstance(first, exp.Array):
        inner = {type_of(part, types) for part in first.expressions}
        return f"array<{inner.pop()}>" if len(inner) == 1 else "array<>"
    if function_name(first) in ("sequence", "split", "array", "array_repeat", "collect_list", "collect_set"):
        return "array<>"
    return type_of(first, types)


def _natural_names(name: str, bound: exp.Expr, kind: str) -> Optional[list[str]]:
    """Spark's own names; None where only Spark knows how many there are."""
    many = ["pos"] if name == "posexplode" else []
    match name:
        case "explode" | "posexplode" if kind.startswith("array<"):
            return [*many, "col"]
        case "explode" | "posexplode" if kind.startswith("map<"):
            return [*many, "key", "value"]
        case "inline" if fields_by_name(element_of(kind)):
            return list(fields_by_name(element_of(kind)))
        case "stack" if isinstance(bound.expressions[0], exp.Literal):
            rows = int(str(bound.expressions[0].this))
            if rows < 1:
                raise InvalidView("STACK(0, …) makes no rows", None, "Say how many rows the values are.")
            return [f"col{place}" for place in range(-(-(len(bound.expressions) - 1) // rows))]
        case "variant_explode":
            return ["pos", "key", "value"]
        case "json_tuple":
            return [f"c{place}" for place in range(len(bound.expressions) - 1)]
        case _:
            return None


def _types(name: str, kind: str, count: int) -> list[str]:
    element = kind[len("array<") : -1] if kind.startswith("array<") else UNKNOWN
    if name == "explode" and count == 1:
        return [element]
    fields = list(fields_by_name(element).values())
    if name == "inline" and count == len(fields):
        return fields
    if name == "variant_explode" and count == 3:
        return ["int", "string", "variant"]
    if name == "posexplode" and count == 2:
        return ["int", element]
    return ["string" if name == "json_tuple" else UNKNOWN] * count
