"""exact_check: the query that finds every row in which a table differs from its SELECT at its recorded versions."""

from __future__ import annotations

from sqlglot import exp

from trickle.apply.target import Target
from trickle.catalog.frontier import Frontier
from trickle.catalog.reads import at_version, repeated
from trickle.compile import CompiledView
from trickle.sql.build import alias, column, named_columns, string, subquery, union_all
from trickle.sql.text import to_text

SIDE = "__trickle_side"


def exact_check(view: CompiledView, target: Target, frontier: Frontier, version: int | None = None) -> str:
    """Rows only stored and rows only computed, as multisets, all visible columns. Empty ⇔ exact.

    `version` pins the storage as well; without it the current rows are compared.
    """
    relations = {source.name: source.relation for source in view.sources}
    query = view.pinned.relation(lambda name: at_version(relations[name], _version(frontier, name)))
    names = view.columns.names
    stored = subquery(repeated(target.storage, names, version), "stored")
    computed = named_columns(query, "computed", names)
    sides = [
        _only("stored but not in the result", stored, computed, names),
        _only("in the result but not stored", computed, stored, names),
    ]
    return to_text(union_all(sides))


def _version(frontier: Frontier, name: str) -> int | None:
    position = frontier.position(name)
    return None if position is None else position.version


def _only(side: str, one: exp.Expr, other: exp.Expr, names: tuple[str, ...]) -> exp.Query:
    def rows(relation: exp.Expr) -> exp.Select:
        return exp.Select(expressions=[column(name) for name in names]).from_(relation.copy(), copy=False)

    difference = exp.Except(this=rows(one), expression=rows(other), distinct=False)
    items = [alias(string(side), SIDE), *(column(name) for name in names)]
    return exp.Select(expressions=items).from_(subquery(difference, "difference"), copy=False)
