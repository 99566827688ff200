"""A metric is one file and a line: each is in run_results beside the fields that dbt knows."""

from __future__ import annotations

from pathlib import Path

from dbt.adapters.trickle.refreshing import metrics
from dbt.adapters.trickle.refreshing.metrics import METRICS, left_out
from dbt.adapters.trickle.refreshing.response import StreamTableResponse

IN_EVERY_RUN = {"rows_inserted", "rows_updated", "rows_deleted", "sources", "statements", "seconds", "prices"}
"""Keys of `adapter_response` that users read."""


def test_every_file_of_a_metric_is_listed() -> None:
    """A metric that is in no list is measured by nobody."""
    files = {file.stem for file in Path(metrics.__file__).parent.glob("*.py")} - {"__init__", "metric"}
    listed = {metric.name for metric in METRICS}

    assert listed == IN_EVERY_RUN
    assert files == {"rows" if name.startswith("rows_") else name for name in listed}


def test_metrics_are_keys_of_the_response() -> None:
    """Nobody has to look one level deeper; what nobody counted is left out."""
    written = StreamTableResponse(_message="m", metrics={"seconds": 1.5, "rows_inserted": None}).to_dict(omit_none=True)

    assert written["seconds"] == 1.5
    assert "metrics" not in written
    assert "rows_inserted" not in written


def test_a_table_left_alone_reports_nothing_done() -> None:
    """No rows, no statements, and the time it took to find out."""
    assert left_out(0.01234) == {
        "rows_inserted": 0,
        "rows_updated": 0,
        "rows_deleted": 0,
        "sources": [],
        "statements": [],
        "seconds": 0.012,
        "prices": {},
    }
