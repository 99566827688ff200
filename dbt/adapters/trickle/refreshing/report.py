"""A finished refresh in numbers."""

from __future__ import annotations

from datetime import datetime, timezone

from dbt.adapters.trickle.refreshing.decision import Decision
from dbt.adapters.trickle.refreshing.execute import Execution
from dbt.adapters.trickle.refreshing.metrics import measured
from dbt.adapters.trickle.refreshing.metrics.rows import counts_of
from dbt.adapters.trickle.refreshing.refresh import Refresh
from dbt.adapters.trickle.refreshing.response import StreamTableResponse, message


def responded(execution: Execution[Refresh]) -> StreamTableResponse:
    """Action, reason, rows, versions, statements and seconds; rows come from the commit itself."""
    decision, plan = execution.refresh.decision, execution.refresh.plan
    committed, counts = execution.committed, counts_of(execution)
    return StreamTableResponse(
        _message=message(plan.action, plan.reason.code, plan.strategy, counts),
        code=plan.action.value,
        rows_affected=counts.touched or 0,
        action=plan.action.value,
        reason_code=plan.reason.code,
        reason=plan.reason.sentence(),
        strategy=plan.strategy,
        metrics=measured(execution),
        notes=[note.sentence() for note in plan.notes],
        storage_version=committed.commit.version if committed else _present_version(decision),
        vector=dict(decision.reading.versions),
        data_timestamp=_instant(decision.reading.data_timestamp),
    )


def _instant(milliseconds: int | None) -> str | None:
    if milliseconds is None:
        return None
    return datetime.fromtimestamp(milliseconds / 1000, timezone.utc).isoformat(timespec="milliseconds")


def _present_version(decision: Decision) -> int | None:
    log = decision.log
    return log.latest if log.exists else None
