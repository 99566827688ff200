"""What a statement leaves as it is, by its first words: what is not known to be left alone counts as changed."""

from __future__ import annotations

import pytest

from dbt.adapters.trickle.warehouses.statement_text import leaves_catalog, writes_no_table


@pytest.mark.parametrize("sql", ["select 1", "/* dbt */ DESCRIBE t", "-- why\nset a = 1", "show\ntables", "use s"])
def test_a_statement_that_reads_changes_neither(sql: str) -> None:
    assert writes_no_table(sql) and leaves_catalog(sql)


@pytest.mark.parametrize(
    "sql", ["insert into t values (1)", "MERGE INTO t", "optimize t", "with a as (select 1) insert into t"]
)
def test_rows_are_written_without_the_catalog(sql: str) -> None:
    assert not writes_no_table(sql) and leaves_catalog(sql)


@pytest.mark.parametrize(
    "sql", ["create table t (a int)", "/* select */ drop view v", "alter table t", "call f()", "selected"]
)
def test_whatever_else_may_change_both(sql: str) -> None:
    assert not writes_no_table(sql) and not leaves_catalog(sql)
