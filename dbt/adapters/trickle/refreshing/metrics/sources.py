"""Every source with the version it was read at before, and the version it was read at now."""

from __future__ import annotations

from dataclasses import asdict

from dbt.adapters.trickle.monitoring.counts import version_steps
from dbt.adapters.trickle.refreshing.execute import Execution
from dbt.adapters.trickle.refreshing.metrics.metric import Metric
from dbt.adapters.trickle.refreshing.refresh import Refresh


def _measure(execution: Execution[Refresh]) -> object:
    decision = execution.refresh.decision
    before = decision.previous.frontier.sources if decision.previous else {}
    steps = version_steps(
        {name: position.version for name, position in before.items()},
        {name: probe.now.version for name, probe in decision.probes.items()},
        whole=execution.refresh.plan.creates,
    )
    return [asdict(step) for step in steps]


SOURCES = Metric("sources", _measure, left_out=[])
