"""A query without views and schemas: views are inlined, and all tables are in the one schema of a scenario."""

from __future__ import annotations

from collections import Counter

from sqlglot import exp

from dbt.adapters.trickle.catalog.answers import Answers, Resolve, answered
from dbt.adapters.trickle.cli.schema_file import Tables
from trickle.lower.sources.pin import pin, referenced
from trickle.sql.build import identifier


def standalone(sql: str, resolve: Resolve) -> tuple[str, Tables]:
    """The text with unqualified tables, and the columns of those tables."""
    pinned, _ = answered(lambda facts: pin(sql, facts), Answers(resolve))
    sources = {source.name: source for source in pinned.sources}
    counts = Counter(key.split(".")[-1] for key in sources)
    names = {key: _unique_name(key, counts) for key in sources}
    tables = {names[key]: source.relation.columns for key, source in sources.items()}
    if {(name,) for name in tables} >= set(referenced(sql)):
        return sql, tables
    return pinned.at(lambda key: exp.Table(this=identifier(names[key]))).strip(), tables


def _unique_name(key: str, counts: Counter[str]) -> str:
    """The table's own name, prefixed by its schema if two tables have the same name."""
    name = key.split(".")[-1]
    return name if counts[name] == 1 else key.replace(".", "_")
