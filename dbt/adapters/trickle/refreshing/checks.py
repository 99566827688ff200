"""Checking a stored table against its own SELECT, from what the storage alone remembers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from dbt_common.exceptions import DbtRuntimeError

from dbt.adapters.trickle.catalog.answers import Answers, answered
from dbt.adapters.trickle.catalog.source_catalog import SourceCatalog
from dbt.adapters.trickle.history.delta_files import DeltaLog, last_stamp
from dbt.adapters.trickle.history.delta_files.snapshot import metadata_at
from dbt.adapters.trickle.refreshing.arranging import as_stored, with_below
from dbt.adapters.trickle.storages.table_properties import QUERY
from dbt.adapters.trickle.versions.choice import Analyst
from trickle import CompiledView, Facts, FloatSums, Options, Target, compile_view, output_schema
from trickle import exact_check as compare
from trickle import state_check as check
from trickle.planning.instants import AsOf, as_of

VOLATILE_REASONS = ("clock_function", "sample", "volatile_function")
"""Reasons why computing the query again may give another right answer from the same tables."""

Checked = Callable[[tuple[str, str], tuple[str, str], DeltaLog, SourceCatalog, Analyst], str]
"""One of the checks below."""


def failing_row(problem: str) -> str:
    """A query whose one row is the problem, as a sentence."""
    literal = problem.replace("\\", "\\\\").replace("'", "\\'")
    return f"select '{literal}' as problem"


def exact_check(
    facade: tuple[str, str], storage: tuple[str, str], log: DeltaLog, warehouse: SourceCatalog, analyst: Analyst
) -> str:
    """SQL that returns the rows in which the view users read differs from the SELECT."""
    view, at = _stored_view(facade, log, warehouse, analyst)
    for why in view.reasons:
        if why.code in VOLATILE_REASONS:
            raise DbtRuntimeError(
                f"{'.'.join(facade)} cannot be compared with its SELECT, which answers anew whenever it is asked: "
                f"{why.message} Leave this test out, or that."
            )
    return compare(view, Target(facade, storage, exists=True), at, shown=True)


def state_check(
    facade: tuple[str, str], storage: tuple[str, str], log: DeltaLog, warehouse: SourceCatalog, analyst: Analyst
) -> str:
    """SQL that returns the stored rows whose hidden state cannot be right."""
    view, at = _stored_view(facade, log, warehouse, analyst)
    stamped = last_stamp(log)
    over = None if stamped is None else as_stored(view, facade, stamped.stamp)
    if over is not None:
        view, _ = answered(
            partial(compile_view, over.query, options=view.options),
            _answers(warehouse, analyst),
            Facts(output=output_schema(analyst.schema_of(over.query))),
        )
    return check(view, Target(facade, storage, exists=True), at)


def _answers(warehouse: SourceCatalog, analyst: Analyst) -> Answers:
    return Answers(warehouse.resolve, warehouse.routine, analyst.schema_of)


def _stored_view(
    facade: tuple[str, str], log: DeltaLog, warehouse: SourceCatalog, analyst: Analyst
) -> tuple[CompiledView, AsOf]:
    """In `dbt test` no other node's SQL is at hand: the SELECT, its versions and its instants come from the storage."""
    name = ".".join(facade)
    stamped = last_stamp(log)
    if stamped is None:
        raise DbtRuntimeError(f"{name} is not a stream table, or was never built: run `dbt run` first.")
    query = metadata_at(log, log.latest).properties.get(QUERY)
    if query is None:
        raise DbtRuntimeError(f"{name} does not hold its SELECT any more: run `dbt run --full-refresh` once.")
    # What is stored for sums of FLOAT and DOUBLE depends on a setting that only the definition remembers.
    output = output_schema(analyst.schema_of(query))
    answers = _answers(warehouse, analyst)
    facts = Facts(output=output)
    views: list[CompiledView] = []
    for floats in FloatSums:
        view, facts = answered(partial(compile_view, query, options=Options(float_sums=floats)), answers, facts)
        views.append(view)
    exact, *_ = views
    same = (view for view in views if view.definition == stamped.stamp.definition)
    at = as_of(stamped.stamp)
    return next(same, exact), replace(at, frontier=with_below(stamped.stamp))
