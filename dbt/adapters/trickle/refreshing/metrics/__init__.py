"""What a refresh reports in numbers: one metric a file, listed in METRICS. dbt writes each into run_results.json."""

from __future__ import annotations

from dbt.adapters.trickle.refreshing.execute import Execution
from dbt.adapters.trickle.refreshing.metrics.metric import Metric
from dbt.adapters.trickle.refreshing.metrics.prices import PRICES
from dbt.adapters.trickle.refreshing.metrics.rows import DELETED, INSERTED, UPDATED
from dbt.adapters.trickle.refreshing.metrics.seconds import SECONDS
from dbt.adapters.trickle.refreshing.metrics.sources import SOURCES
from dbt.adapters.trickle.refreshing.metrics.statements import STATEMENTS
from dbt.adapters.trickle.refreshing.refresh import Refresh

METRICS: tuple[Metric, ...] = (INSERTED, UPDATED, DELETED, SOURCES, STATEMENTS, SECONDS, PRICES)


def measured(execution: Execution[Refresh]) -> dict[str, object]:
    """Every metric of a refresh, by its name."""
    return {metric.name: metric.measure(execution) for metric in METRICS}


def left_out(seconds: float) -> dict[str, object]:
    """The same of a refresh that did not take place."""
    return {**{metric.name: metric.left_out for metric in METRICS}, SECONDS.name: round(seconds, 3)}
