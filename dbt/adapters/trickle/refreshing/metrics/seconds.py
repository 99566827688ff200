"""Seconds from the beginning of the decision to the end of the last statement."""

from __future__ import annotations

import time

from dbt.adapters.trickle.refreshing.execute import Execution
from dbt.adapters.trickle.refreshing.metrics.metric import Metric
from dbt.adapters.trickle.refreshing.refresh import Refresh


def _measure(execution: Execution[Refresh]) -> object:
    return round(time.monotonic() - execution.refresh.started, 3)


SECONDS = Metric("seconds", _measure, left_out=0.0)
