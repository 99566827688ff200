"""Every statement that was run: its kind, what it was for, and its seconds."""

from __future__ import annotations

from dataclasses import asdict

from dbt.adapters.trickle.refreshing.execute import Execution
from dbt.adapters.trickle.refreshing.metrics.metric import Metric
from dbt.adapters.trickle.refreshing.refresh import Refresh


def _measure(execution: Execution[Refresh]) -> object:
    return [asdict(statement) for statement in execution.executed]


STATEMENTS = Metric("statements", _measure, left_out=[])
