"""The report has the measurements and their verdicts."""

from __future__ import annotations

import json

from benchmarks.approaches import Outcome
from benchmarks.meter import Spent
from benchmarks.report import document, table
from benchmarks.rounds import Sample


def _samples(cell: str, rows: int, spent: dict[str, float]) -> list[Sample]:
    outcome = Outcome("INCREMENTAL", "merge_by_key", 0.1, {"merge_by_key": 1.0, "full": 2.0})
    return [Sample(cell, rows, approach, 1, Spent(seconds, seconds), outcome) for approach, seconds in spent.items()]


def test_a_cell_in_which_auto_is_worse_is_named() -> None:
    """Whoever reads only the verdicts must find every broken promise."""
    good = _samples("scan", 10, {"full": 2.0, "incremental": 1.0, "auto": 1.0})
    bad = _samples("join", 10, {"full": 1.0, "incremental": 3.0, "auto": 3.0})

    verdicts = document([*good, *bad], {})["verdicts"]

    assert verdicts["auto_worse_than_full"] == ["join × 10"]


def test_the_biggest_aggregate_is_the_one_that_must_be_twice_as_fast() -> None:
    """Small tables are dominated by fixed costs: only the biggest size is judged."""
    small = _samples("aggregate", 10, {"full": 1.0, "incremental": 1.0, "auto": 1.0})
    big = _samples("aggregate", 1000, {"full": 4.0, "incremental": 1.0, "auto": 1.0})

    assert document([*big, *small], {})["verdicts"]["big_aggregate_twice_as_fast"] is True
    assert document(small, {})["verdicts"]["big_aggregate_twice_as_fast"] is False


def test_unmeasured_cells_have_no_verdict() -> None:
    """No aggregate among the cells: no verdict about it."""
    samples = _samples("scan", 10, {"full": 1.0, "incremental": 1.0, "auto": 1.0})

    assert document(samples, {})["verdicts"]["big_aggregate_twice_as_fast"] is None


def test_the_document_is_one_json_object_with_every_round() -> None:
    """Medians can be recomputed from it."""
    report = document(_samples("scan", 10, {"full": 1.0, "auto": 2.0}), {"wrong": []})

    full = json.loads(json.dumps(report))["cells"][0]["ways"]["full"]

    assert full["rounds"] == [{"wall": 1.0, "cpu": 1.0}]
    assert full["strategy"] == "merge_by_key"


def test_the_table_has_one_line_for_each_cell() -> None:
    """A missing approach is a dash, and a broken promise is marked."""
    lines = table(_samples("join", 10, {"full": 1.0, "auto": 3.0})).splitlines()

    assert len(lines) == 3
    assert " - " in lines[2]
    assert lines[2].endswith("<- worse")
