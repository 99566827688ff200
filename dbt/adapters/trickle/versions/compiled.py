"""A model compiled over its sources as they are at the versions at which it reads them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from dbt_common.exceptions import CompilationError

from dbt.adapters.trickle.catalog.answers import Answers, answered
from dbt.adapters.trickle.catalog.source_catalog import SourceCatalog
from dbt.adapters.trickle.versions.choice import Analyst, VersionChoice, choose_versions
from dbt.adapters.trickle.versions.plan_cache import NO_PLANS, PlanCache
from dbt.adapters.trickle.versions.plan_file import CachedPlan
from trickle import (
    CompiledView,
    Facts,
    Name,
    Options,
    Stamp,
    Unreadable,
    compile_view,
    output_schema,
    refuted,
    texts_to_confirm,
)
from trickle.lower.sources.pin import pin
from trickle.lower.sources.pinned import PinnedQuery
from trickle.planning.pinned_text import pinned_query


def compile_at_chosen_versions(
    table: Name,
    sql: str,
    options: Options,
    previous: Stamp | None,
    behind: Stamp | None,
    warehouse: SourceCatalog,
    analyst: Analyst,
    plans: PlanCache = NO_PLANS,
) -> tuple[CompiledView, VersionChoice]:
    """The view over its sources as they are read. `previous` can be built upon, and no source is read at an older
    version than in `behind`.

    What an earlier run has compiled is used where every name still means the same; Spark is asked nothing then.
    Otherwise it analyses the text as written, unless one of the sources has other columns now than where it is read.
    """
    _insist_on_any_session(sql, analyst)
    answers = Answers(warehouse.resolve, warehouse.routine, analyst.schema_of)
    fingerprint = plans.fingerprint(sql, options)
    cached = plans.read(table, fingerprint)
    if cached is not None and not _means_the_same(cached.facts, answers):
        cached = None
    query, facts = _pinned(sql, answers, analyst) if cached is None else (cached.view.pinned, cached.facts)
    choice = choose_versions(query.sources, behind, warehouse)
    reshaped = any(warehouse.reshaped(source.physical) for source in query.sources)
    if reshaped or any(warehouse.has_other_columns(source) for source in query.sources):
        cached = None
        query, facts = answered(partial(pin, sql), answers)
    plan = cached
    if plan is None:
        text = pinned_query(query, query.sources, choice.read) if reshaped else sql
        known = Facts(facts.relations, output=output_schema(analyst.schema_of(text)))
        plan = CachedPlan(fingerprint, *_compiled(sql, options, known, answers), is_confirmed=False)
    if not plan.is_confirmed and (previous is None or previous.definition != plan.view.definition):
        # Spark is asked once per definition whether the parser understood the query as Spark does.
        plan = replace(plan, view=_confirmed(plan.view, analyst), is_confirmed=True)
    if plan is not cached and not reshaped:
        plans.save(table, plan)
    return plan.view, choice


def _compiled(sql: str, options: Options, known: Facts, answers: Answers) -> tuple[Facts, CompiledView]:
    view, facts = answered(partial(compile_view, sql, options=options), answers, known)
    return facts, view


def _means_the_same(facts: Facts, answers: Answers) -> bool:
    """Whether every relation and function is what it was."""
    return all(answers.relation(name) == known for name, known in facts.relations.items()) and all(
        answers.routine(name) == known for name, known in facts.routines.items()
    )


def _confirmed(view: CompiledView, analyst: Analyst) -> CompiledView:
    """The view, or its recomputed form where Spark reads one of its texts as another query."""
    same = all(analyst.same_meaning(written, read) for written, read in texts_to_confirm(view))
    return view if same else refuted(view)


def _insist_on_any_session(sql: str, analyst: Analyst) -> None:
    """Objects of one connection change without a trace, and whoever checks the table later does not have them."""
    only_here = analyst.only_here(sql)
    if only_here:
        raise CompilationError(
            f"The model {only_here}. A stream table must mean the same in every session: write the value or the whole "
            "name into the model, make a view or a model of it, or use `materialized='table'`."
        )


def _pinned(sql: str, answers: Answers, analyst: Analyst) -> tuple[PinnedQuery, Facts]:
    """The text with its tables found. A query that our parser cannot read may be valid in Spark: the error says so."""
    try:
        return answered(partial(pin, sql), answers)
    except Unreadable as refused:
        if not analyst.can_read(sql):
            raise
        raise CompilationError(
            f"{refused}. Spark reads this query, but dbt-trickle does not, and so cannot say which tables it reads: "
            "write that part in another way, or use `materialized='table'`."
        ) from refused
