"""Whether a stream table meets its target lag, and when a table's rows last changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from typing import Any

from dbt.adapters.trickle.history.delta_files import DeltaLog, LogUnreadable
from dbt.adapters.trickle.monitoring.short_numbers import iso, span
from dbt.adapters.trickle.monitoring.staleness import Staleness
from dbt.adapters.trickle.monitoring.status import BROKEN, LagTarget, status_of
from dbt.adapters.trickle.monitoring.targets import targets_of
from dbt.adapters.trickle.names import storage_name
from dbt.adapters.trickle.project.errors import ProjectError
from dbt.adapters.trickle.project.project import Project
from trickle import TrickleError
from trickle.schedule.parse import parse_schedule
from trickle.schedule.target_lag import TargetLag

Name = tuple[str, str]


def overdue(project: Project, name: Name, max_lag: str | None, now: int) -> Mapping[str, Any] | None:
    """The row with which the data test fails; None when the table is within its target."""
    node = project.stream_table(".".join(name))
    target = _target_of(max_lag) if max_lag is not None else targets_of(project)(node, now)
    if target.milliseconds is None:
        raise ProjectError(
            f"{node.name} has no schedule that limits how old its rows may become: "
            "give the test `arguments: {max_lag: 10m}`, or the model a `schedule`."
        )
    status = status_of(project, node, Staleness(project.source_log), target, now)
    if status.state == BROKEN:
        raise LogUnreadable(status.detail)
    if status.stamped is not None and status.lag is not None and status.lag <= target.milliseconds:
        return None
    lag = "never built" if status.stamped is None else "unknown" if status.lag is None else span(status.lag)
    return {
        "relation": ".".join(name),
        "lag": lag,
        "allowed": span(target.milliseconds),
        "behind_since": iso(status.unread.since) or "",
        "detail": status.detail,
    }


def _target_of(max_lag: str) -> LagTarget:
    try:
        schedule = parse_schedule(max_lag)
    except TrickleError:
        schedule = None
    if not isinstance(schedule, TargetLag):
        raise ProjectError(f"`max_lag: {max_lag}` is not allowed; write a duration such as 30s, 10m, 1h30m, 1d or 1w.")
    return LagTarget(str(schedule), milliseconds=schedule.duration)


def last_change(name: Name, log_of: Callable[[Name], DeltaLog]) -> datetime:
    """When the newest commit that changed rows was made; maintenance does not count."""
    schema, identifier = name
    logs = (log_of(log_name) for log_name in ((schema, identifier), (schema, storage_name(identifier))))
    log = next((log_name for log_name in logs if log_name.exists), None)
    if log is None:
        raise LogUnreadable(
            f"{schema}.{identifier} is not a Delta table, so its freshness can only be read from its rows: "
            "give the source a `loaded_at_field`"
        )
    version = log.latest
    while log.has(version):
        commit = log.commit(version)
        if commit.changes_data or commit.replaces:
            return datetime.fromtimestamp(commit.committed_at / 1000, timezone.utc)
        version -= 1
    # Older commits were removed from the log: the change was no later than the oldest commit left.
    return datetime.fromtimestamp(log.commit(version + 1).committed_at / 1000, timezone.utc)
