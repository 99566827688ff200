"""Variants are the scenario in another shape: never the same again, and never another question."""

from __future__ import annotations

from pathlib import Path

from dbt.adapters.trickle.cli.verify.case_file import parse_case
from dbt.adapters.trickle.cli.verify.scenario import Scenario

CASE = """\
# Two changes, one of them alone.
variants: split nulls aggregate upstream

table t (id INT, s STRING)
    (1, 'a')

view v
    SELECT id, UPPER(s) AS big, id + 1 FROM t

step
    INSERT INTO t VALUES (2, 'b')
    DELETE FROM t WHERE id = 1
expect v INCREMENTAL
expect v
    (2, 'B', 3)
"""


def variants(text: str = CASE) -> dict[str, Scenario]:
    return {one.id: one for one in parse_case(Path("c.case"), text)}


def test_one_file_makes_five_scenarios() -> None:
    """As given, split, with NULLs and duplicates, aggregated, and as upstream."""
    assert list(variants()) == ["c", "c/split", "c/nulls", "c/aggregate", "c/upstream"]


def test_split_gives_every_change_its_own_refresh() -> None:
    """The rows are expected after the last; the action was that of the whole interval."""
    first, second = variants()["c/split"].steps

    assert [change.sql for change in first.changes] == ["INSERT INTO t VALUES (2, 'b')"]
    assert first.expectations == ()
    assert [(one.action, one.rows) for one in second.expectations] == [(None, ("(2, 'B', 3)",))]


def test_split_of_single_changes_is_no_variant() -> None:
    """It would be the same scenario again."""
    alone = CASE.replace("    DELETE FROM t WHERE id = 1\n", "")

    assert "c/split" not in variants(alone)


def test_nulls_adds_null_rows_and_duplicates() -> None:
    """Twice each, so that counts matter; expected rows are dropped."""
    case = variants()["c/nulls"]

    assert case.tables[0].rows == ("(1, 'a')", "(1, 'a')", "(NULL, NULL)", "(NULL, NULL)")
    assert case.steps[0].expectations == ()


def test_aggregate_counts_rows_and_values_of_named_columns() -> None:
    """An unnamed column has no name to count by."""
    (view,) = variants()["c/aggregate"].views

    text = " ".join(view.sql.split())
    assert "COUNT(*) AS `every_row`" in text
    assert "COUNT(`big`) AS `values_2`" in text
    assert "values_3" not in text
    assert "FROM ( SELECT id, UPPER(s) AS big, id + 1 FROM t ) AS `wrapped`" in text


def test_upstream_adds_readers_of_the_last_view() -> None:
    """Its rows as they are, and a total; the scenario's own view is untouched."""
    first, passed_on, totals = variants()["c/upstream"].views

    assert first == variants()["c"].views[0]
    assert "FROM `v`" in passed_on.sql
    assert "FROM `v`" in totals.sql
