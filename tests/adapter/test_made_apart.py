"""Tables that dbt makes by itself between stream tables: what they may do to the promise is said, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from dbt.adapters.trickle.refreshing.refresh import Decision
from tests.adapter.lake import Lake

JOINED = "SELECT l.a, x.b FROM s.made AS l JOIN s.r AS x ON l.a = x.a"


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    """A source `r`, a `table` model `made` over it, and a stream table `d` that reads both."""
    found = Lake(tmp_path)
    found.table("r")
    found.source("r")
    found.node("made", ["r"], "table")
    found.node("d", ["made", "r"])
    found.clock += 60_000
    return found


def codes(decision: Decision) -> list[str]:
    return [note.code for note in decision.plan.notes]


def test_a_quiet_run_fits_and_says_nothing(lake: Lake) -> None:
    """Nobody wrote since before the run: the table was made from what the run reads."""
    lake.replace("made")

    assert codes(lake.refresh("d", JOINED, "run-1")) == []


def test_a_table_made_from_what_the_run_does_not_have_yet(lake: Lake) -> None:
    """The source was pinned, written to, and only then read by the table."""
    lake.node("m", ["r"])
    lake.refresh("m", "SELECT a, b FROM s.r", "run-1")
    lake.append("r")
    lake.replace("made")

    decision = lake.refresh("d", JOINED, "run-1")

    assert codes(decision) == ["made_apart"]
    assert "s.made" in decision.plan.notes[0].message and "s.r was written to" in decision.plan.notes[0].message


def test_a_table_that_was_left_out_of_the_selection(lake: Lake) -> None:
    """It was made by an earlier run, and its source has gone on since."""
    lake.replace("made")
    lake.append("r")
    lake.clock += 60_000

    assert codes(lake.refresh("d", JOINED, "run-2")) == ["made_apart"]


def test_a_table_over_a_stream_table_that_stands_elsewhere(lake: Lake) -> None:
    """The table read m, which this run left where it was, while the model reads r anew."""
    lake.node("m", ["r"])
    lake.node("made", ["m"], "table")
    lake.refresh("m", "SELECT a, b FROM s.r", "run-1")
    lake.append("r")
    lake.clock += 60_000
    lake.replace("made")

    decision = lake.refresh("d", JOINED, "run-2")

    assert codes(decision) == ["made_apart"]
    assert "s.m reflects another version of s.r" in decision.plan.notes[0].message


def test_a_model_read_under_its_tables_name(lake: Lake) -> None:
    """dbt may run `made` after `d`, as nothing tells it not to."""
    lake.node("d", ["r"])
    lake.replace("made")

    assert "model_read_as_source" in codes(lake.refresh("d", JOINED, "run-1"))
