"""How long the refreshes of a stream table take, from the start of the run: what a target lag must leave room for."""

from __future__ import annotations

from dbt.adapters.trickle.history.delta_files import DeltaLog, LogUnreadable
from dbt.adapters.trickle.history.delta_files.commit import Commit
from dbt.adapters.trickle.monitoring.refreshes import CREATED, stamp_of
from dbt.adapters.trickle.project import Project
from dbt.adapters.trickle.scheduling.due_tables import graph_of
from dbt.adapters.trickle.scheduling.memory import TICK
from dbt.adapters.trickle.storages.stamp_fields import BEGAN, MAINTAINED
from trickle import ScheduledTable, Stamp

REFRESHES = 8
"""So many of the last refreshes are looked at."""

COMMITS = 60
"""And no further back than this."""

WRONG_CLOCK = 24 * 3_600_000
"""No run takes a day: the start was noted by another clock than the commit."""


def scheduled_tables(project: Project) -> list[ScheduledTable]:
    """Every stream table with its schedule and its run time."""
    graph = graph_of(project.nodes, project.profile.time_zone)
    return [
        ScheduledTable(node.name, graph.schedule(node.id), run_time(project.storage_log(node)))
        for node in project.stream_tables
    ]


def run_time(log: DeltaLog) -> int | None:
    """Milliseconds, the longest of the last refreshes; None when none tells. Spark's start, and what is refreshed first
    in the same run, is part of it. A table that was built once and is maintained since is not judged by its building.
    """
    try:
        return max(_times(log), default=None)
    except LogUnreadable:
        return None


def _times(log: DeltaLog) -> list[int]:
    found: list[int] = []
    for version in range(log.latest, max(log.latest - COMMITS, -1), -1):
        if len(found) == REFRESHES or not log.has(version):
            break
        commit = log.commit(version)
        stamp = stamp_of(commit)
        if stamp is None or (stamp.strategy == CREATED and stamp.extra.get(MAINTAINED) != "recompute"):
            continue
        took = _took(commit, stamp)
        if took is not None:
            found.append(took)
    return found


def _took(commit: Commit, stamp: Stamp) -> int | None:
    """From the start of the run, or where its clock was another, from that of the refresh."""
    starts = (stamp.extra.get(TICK), stamp.extra.get(BEGAN))
    spans = (commit.committed_at - start for start in starts if isinstance(start, int))
    return next((span for span in spans if 0 <= span < WRONG_CLOCK), None)
