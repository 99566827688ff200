"""exact_check: the query that finds every row in which a table differs from its SELECT at its recorded versions."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from trickle.apply.printed import printed
from trickle.apply.target import Target
from trickle.catalog.frontier import Frontier
from trickle.catalog.reads import at_version, repeated
from trickle.layouts.check import only
from trickle.operators import Aggregate, Recompute, Window
from trickle.plan.instant import Clock
from trickle.plan.names import shown_name
from trickle.plan.op import walk
from trickle.planning.compile import CompiledView
from trickle.planning.instants import AsOf
from trickle.render.reads import Binding, Reads
from trickle.render.render import render
from trickle.sql.build import alias, column, named_columns, subquery, table, union_all


def exact_check(view: CompiledView, target: Target, at: AsOf, version: int | None = None, shown: bool = False) -> str:
    """Rows only stored and rows only computed, as multisets, all visible columns. Empty ⇔ exact.

    `at` says at which versions and instants. `version` pins the storage as well; without it the current rows are
    compared, with `shown` those that the view in front of the storage gives.
    """
    names = view.columns.names
    stored = subquery(_shown(target, names) if shown else repeated(target.storage, names, version), "stored")
    result = named_columns(computed(view, at), "computed", names)
    columns, summed = view.columns.columns, adds_up(view)
    sides = [
        only("stored but not in the result", stored, result, columns, summed),
        only("in the result but not stored", result, stored, columns, summed),
    ]
    return printed(union_all(sides))


def _shown(target: Target, names: Sequence[str]) -> exp.Select:
    """The rows users read, under the column names of the storage."""
    items = [alias(column(shown_name(name)), name) for name in names]
    return exp.Select(expressions=items).from_(table(target.facade), copy=False)


def computed(view: CompiledView, at: AsOf) -> exp.Expr:
    """The user's own text at recorded versions, or at the current ones of sources the frontier does not name.

    Where the text leaves the order of ties to chance, the plan, which breaks them as the stored rows do.
    """
    if view.settles_ties:
        return render(view.plan, pinned_sources(view, at))
    return view.pinned.relation(lambda name: _pinned(view, at)[name], view.answers(at.instants))


def pinned_sources(view: CompiledView, at: AsOf) -> Binding:
    """How a plan over the sources reads them at recorded versions, and the clock at recorded instants."""
    sources = {name: Reads(relation) for name, relation in _pinned(view, at).items()}
    return Binding(sources, clock=Clock(at.instants, at.instants))


def _pinned(view: CompiledView, at: AsOf) -> dict[str, exp.Expr]:
    return {source.name: at_version(source.relation, _version(at.frontier, source.name)) for source in view.sources}


def _version(frontier: Frontier, name: str) -> int | None:
    position = frontier.position(name)
    return None if position is None else position.version


def adds_up(view: CompiledView) -> bool:
    """Whether the order in which Spark adds may decide last digits."""
    return any(isinstance(op, (Aggregate, Recompute, Window)) for op in walk(view.plan))
