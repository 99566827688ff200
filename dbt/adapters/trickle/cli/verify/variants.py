"""Variants of a scenario: mechanical changes under which it must stay exact."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Optional

from sqlglot import exp

from dbt.adapters.trickle.cli.verify.scenario import Scenario, SourceTable, Step, StreamQuery
from trickle.sql.build import alias, call, cast, column
from trickle.sql.build import table as named_table
from trickle.sql.parse import parse_select
from trickle.sql.text import to_text

Variant = Callable[[Scenario], Optional[Scenario]]


def with_variants(scenario: Scenario, wanted: Sequence[str]) -> list[Scenario]:
    """The scenario as written, and each requested variant that differs from it."""
    scenarios = [scenario]
    for name in wanted:
        variant = VARIANTS[name](scenario)
        if variant is not None:
            scenarios.append(replace(variant, id=f"{scenario.id}/{name}"))
    return scenarios


def split(scenario: Scenario) -> Optional[Scenario]:
    """Every change in an interval of its own; the expectations apply to the last one."""
    if all(len(step.changes) < 2 for step in scenario.steps):
        return None
    steps: list[Step] = []
    for step in scenario.steps:
        steps += [Step((change,), at=step.at) for change in step.changes] or [Step((), at=step.at)]
        rows_only = tuple(
            replace(expectation, action=None, strategy=None)
            for expectation in step.expectations
            if expectation.rows is not None
        )
        steps[-1] = replace(steps[-1], expectations=rows_only)
    return replace(scenario, steps=tuple(steps))


def nulls(scenario: Scenario) -> Scenario:
    """Every table has a row of NULLs twice and its first row twice."""
    tables = tuple(replace(table, rows=(*table.rows, *table.rows[:1], *_null_rows(table))) for table in scenario.tables)
    return replace(scenario, tables=tables, steps=_without_expectations(scenario))


def aggregate(scenario: Scenario) -> Scenario:
    """The last view's query inside a grand total, so that an extra row cannot be compensated by a missing one."""
    last = scenario.views[-1]
    query = parse_select(last.sql)
    total = _totals(exp.Subquery(this=query.copy(), alias=_alias("wrapped")), query)
    wrapped = replace(last, sql=to_text(total), verdict=None)
    return replace(scenario, views=(*scenario.views[:-1], wrapped), steps=_without_expectations(scenario))


def upstream(scenario: Scenario) -> Scenario:
    """Two more stream tables that read the last one: its rows, and a grand total of them."""
    last = scenario.views[-1]
    source = named_table((last.name,))
    passed_on = exp.Select(expressions=[exp.Star()]).from_(source.copy(), copy=False)
    total = _totals(source, parse_select(last.sql))
    more = (StreamQuery("passed_on", to_text(passed_on)), StreamQuery("totals", to_text(total)))
    return replace(scenario, views=(*scenario.views, *more))


VARIANTS: Mapping[str, Variant] = {"split": split, "nulls": nulls, "aggregate": aggregate, "upstream": upstream}


def _totals(relation: exp.Expr, query: exp.Query) -> exp.Select:
    """COUNT(*), and for every named column the number of its values and of their characters."""
    items: list[exp.Expr] = [alias(exp.Count(this=exp.Star()), "every_row")]
    for number, name in enumerate(_names(query), 1):
        length = call("LENGTH", cast(column(name), "string"))
        items.append(alias(exp.Count(this=column(name)), f"values_{number}"))
        items.append(alias(exp.Sum(this=cast(length, "int")), f"characters_{number}"))
    return exp.Select(expressions=items).from_(relation, copy=False)


def _names(query: exp.Query) -> list[str]:
    """The names of the output columns, without stars and unnamed expressions."""
    named = [item.alias_or_name for item in query.selects if isinstance(item, (exp.Alias, exp.Column))]
    return [name for name in named if name and name != "*"]


def _null_rows(table: SourceTable) -> tuple[str, str]:
    row = "(" + ", ".join("NULL" for _ in table.columns) + ")"
    return row, row


def _without_expectations(scenario: Scenario) -> tuple[Step, ...]:
    return tuple(replace(step, expectations=()) for step in scenario.steps)


def _alias(name: str) -> exp.TableAlias:
    return exp.TableAlias(this=exp.to_identifier(name, quoted=True))
