"""How long the refreshes of a stream table take, from the start of the run; a target lag must allow for it."""

from __future__ import annotations

from dbt.adapters.trickle.history.delta_files import DeltaLog, LogUnreadable
from dbt.adapters.trickle.history.delta_files.commit import Commit
from dbt.adapters.trickle.monitoring.refreshes import CREATED, stamp_of
from dbt.adapters.trickle.project import Project
from dbt.adapters.trickle.scheduling.due_tables import schedule_graph
from dbt.adapters.trickle.scheduling.memory import TICK
from dbt.adapters.trickle.storages.stamp_fields import BEGAN, MAINTAINED
from trickle import Stamp
from trickle.schedule.ticks import ScheduledTable

REFRESHES = 8
"""The number of refreshes considered."""

COMMITS = 60
"""The number of commits searched for them."""

WRONG_CLOCK = 24 * 3_600_000
"""No run takes a day: a longer time means that the start and the commit were taken from different clocks."""


def scheduled_tables(project: Project) -> list[ScheduledTable]:
    """Every stream table with its schedule and its run time."""
    graph = schedule_graph(project.nodes, project.profile.time_zone)
    return [
        ScheduledTable(node.name, graph.schedule(node.id), run_time(project.storage_log(node)))
        for node in project.stream_tables
    ]


def run_time(log: DeltaLog) -> int | None:
    """The longest of the last refreshes in milliseconds, None if unknown; Spark's start and earlier models included.

    The first build does not count for a table that is maintained incrementally.
    """
    try:
        return max(_durations(log), default=None)
    except LogUnreadable:
        return None


def _durations(log: DeltaLog) -> list[int]:
    durations: list[int] = []
    for version in range(log.latest, max(log.latest - COMMITS, -1), -1):
        if len(durations) == REFRESHES or not log.has(version):
            break
        commit = log.commit(version)
        stamp = stamp_of(commit)
        if stamp is None or (stamp.strategy == CREATED and stamp.extra.get(MAINTAINED) != "recompute"):
            continue
        duration = _duration(commit, stamp)
        if duration is not None:
            durations.append(duration)
    return durations


def _duration(commit: Commit, stamp: Stamp) -> int | None:
    """From the start of the run, or of the refresh where the run's clock differed from the commit's."""
    starts = (stamp.extra.get(TICK), stamp.extra.get(BEGAN))
    spans = (commit.committed_at - start for start in starts if isinstance(start, int))
    return next((span for span in spans if 0 <= span < WRONG_CLOCK), None)
