"""exact_check: the query that finds every row in which a table differs from its SELECT at its recorded versions."""

from __future__ import annotations

from sqlglot import exp

from trickle.apply.target import Target
from trickle.catalog.frontier import Frontier
from trickle.catalog.reads import at_version, repeated
from trickle.compile import CompiledView
from trickle.operators import Aggregate, Recompute
from trickle.plan.op import walk
from trickle.plan.schema import Column
from trickle.plan.types import has_no_equality, is_fraction
from trickle.render.reads import Binding, Reads
from trickle.render.render import render
from trickle.sql.build import alias, call, case, cast, column, integer, named_columns, string, subquery, union_all
from trickle.sql.text import to_text

SIDE = "__trickle_side"


def exact_check(view: CompiledView, target: Target, frontier: Frontier, version: int | None = None) -> str:
    """Rows only stored and rows only computed, as multisets, all visible columns. Empty ⇔ exact.

    `version` pins the storage as well; without it the current rows are compared.
    """
    names = view.columns.names
    stored = subquery(repeated(target.storage, names, version), "stored")
    anew = named_columns(computed(view, frontier), "computed", names)
    sides = [
        _only("stored but not in the result", stored, anew, view),
        _only("in the result but not stored", anew, stored, view),
    ]
    return to_text(union_all(sides))


def computed(view: CompiledView, frontier: Frontier) -> exp.Expr:
    """The user's own text at recorded versions, or at the current ones of sources the frontier does not name.

    Where the text leaves ties to chance it is the plan, which says how they were broken.
    """
    pinned = {source.name: at_version(source.relation, _version(frontier, source.name)) for source in view.sources}
    if view.settles_ties:
        return render(view.plan, Binding({name: Reads(relation) for name, relation in pinned.items()}))
    return view.pinned.relation(pinned.__getitem__)


def _version(frontier: Frontier, name: str) -> int | None:
    position = frontier.position(name)
    return None if position is None else position.version


def _only(side: str, one: exp.Expr, other: exp.Expr, view: CompiledView) -> exp.Query:
    summed = any(isinstance(op, (Aggregate, Recompute)) for op in walk(view.plan))

    def rows(relation: exp.Expr) -> exp.Select:
        items = [alias(_comparable(own, summed), own.name) for own in view.columns]
        return exp.Select(expressions=items).from_(relation.copy(), copy=False)

    difference = exp.Except(this=rows(one), expression=rows(other), distinct=False)
    items = [alias(string(side), SIDE), *(column(name) for name in view.columns.names)]
    return exp.Select(expressions=items).from_(subquery(difference, "difference"), copy=False)


def _comparable(own: Column, summed: bool) -> exp.Expr:
    """A column in a form that EXCEPT can compare.

    MAP and VARIANT have no equality: their JSON stands for them. FLOAT and DOUBLE of a query that adds things up are
    compared to twelve digits after the first, because the order in which Spark adds decides the last ones.
    """
    value = column(own.name)
    if has_no_equality(own.type):
        return call("TO_JSON", call("NAMED_STRUCT", string("value"), value))
    if summed and is_fraction(own.type):
        digits = call(
            "FORMAT_STRING", string("%.12e"), exp.Add(this=cast(value, "double"), expression=cast(integer(0), "double"))
        )
        return case(exp.Is(this=value.copy(), expression=exp.Null()), exp.Null(), digits)
    return value
