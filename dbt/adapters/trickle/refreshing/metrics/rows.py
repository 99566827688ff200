"""Rows inserted, updated and deleted in the storage, as the writer of the commit counted them."""

from __future__ import annotations

from dbt.adapters.trickle.monitoring.counts import RowCounts, row_counts
from dbt.adapters.trickle.refreshing.execute import Execution
from dbt.adapters.trickle.refreshing.metrics.metric import Metric
from dbt.adapters.trickle.refreshing.refresh import Refresh


def counts_of(execution: Execution[Refresh]) -> RowCounts:
    """None where the writer does not count."""
    commit = execution.committed.commit if execution.committed else None
    return row_counts(commit, execution.refresh.decision.rows_before)


INSERTED = Metric("rows_inserted", lambda execution: counts_of(execution).inserted, left_out=0)
UPDATED = Metric("rows_updated", lambda execution: counts_of(execution).updated, left_out=0)
DELETED = Metric("rows_deleted", lambda execution: counts_of(execution).deleted, left_out=0)
