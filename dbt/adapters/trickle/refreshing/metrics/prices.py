"""Strategy → estimated seconds, `full` among them; empty when nothing was compared."""

from __future__ import annotations

from dbt.adapters.trickle.refreshing.metrics.metric import Metric

PRICES = Metric("prices", lambda execution: dict(execution.refresh.plan.prices), left_out={})
