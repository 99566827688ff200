"""Which stream tables of a project are due, and why: one record a table, from the manifest and the logs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dbt.adapters.trickle.monitoring.columns import Column, table
from dbt.adapters.trickle.monitoring.prose import indented
from dbt.adapters.trickle.monitoring.short_numbers import NONE, iso, span
from dbt.adapters.trickle.monitoring.staleness import Behind, Staleness
from dbt.adapters.trickle.project import Node, Project
from dbt.adapters.trickle.scheduling.due_tables import Round, judge_round
from dbt.adapters.trickle.scheduling.memory import RefreshMemory
from trickle import Due, Schedule, schedule_sentence, show_instant

SUSPENDED, BY_HAND = "suspended", "suspended_by_hand"
WORDS = {
    "slot": "its slot has come",
    "every_run": "it has no schedule",
    "never_refreshed": "it was never built",
    "changed": "its model was edited",
    "wrong_clock": "its last refresh lies in the future",
    "not_due": "its slot is taken",
}


@dataclass(frozen=True)
class TableDue:
    """A stream table at the instant that was asked about."""

    node: Node
    schedule: Schedule
    due: Due
    memory: RefreshMemory
    behind: Behind
    lag: int | None
    """Milliseconds its rows are behind its sources; None when nobody can tell."""
    target: int | None
    suspended: bool
    needed_by: str = ""

    @property
    def is_due(self) -> bool:
        return self.due.due and not self.suspended

    @property
    def why(self) -> str:
        if self.suspended:
            return SUSPENDED if self.memory.suspended_since is None else BY_HAND
        return self.due.why

    @property
    def said(self) -> str:
        """Why, in words."""
        if self.suspended:
            by_hand = self.memory.suspended_since is not None
            return "it was suspended by hand" if by_hand else f"{self.memory.errors} refreshes in a row failed"
        return f"{self.needed_by} needs it" if self.due.why == "needed" else WORDS[self.due.why]

    @property
    def is_late(self) -> bool:
        return self.lag is not None and self.target is not None and self.lag > self.target


def dues(project: Project, now: int) -> list[TableDue]:
    """Every stream table, in order of name."""
    judged = judge_round(project, now)
    staleness = Staleness(project.source_log)
    return [_of(node, judged, staleness, now) for node in project.stream_tables]


def _of(node: Node, judged: Round, staleness: Staleness, now: int) -> TableDue:
    memory, schedule, due = judged.memories[node.id], judged.schedule(node.id), judged.due[node.id]
    behind = staleness.of(memory.stamped) if memory.stamped else Behind()
    return TableDue(
        node=node,
        schedule=schedule,
        due=due,
        memory=memory,
        behind=behind,
        lag=behind.lag(now) if memory.stamped else None,
        target=schedule.target(now),
        suspended=node.id in judged.suspended,
        needed_by=judged.project.nodes[due.needed_by].name if due.needed_by else "",
    )


def due_text(project: Project, found: Sequence[TableDue], now: int, width: int | None) -> str:
    """A headline and a table."""
    if not found:
        return f"{project.name} has no stream tables: say `materialized='stream_table'` in a model's config."
    zone = project.profile.time_zone
    count = sum(one.is_due for one in found)
    headline = f"{project.name}: {count} of {len(found)} due at {show_instant(now, zone)} {zone}"
    columns = [
        Column("TABLE", [".".join(one.node.relation) for one in found], shortens=True),
        Column("DUE", ["yes" if one.is_due else "no" for one in found]),
        Column("WHY", [one.said for one in found]),
        Column("SCHEDULE", [str(one.schedule) for one in found], rank=3),
        Column("LAST RUN", [_shown(one.memory.tick, zone, now) for one in found], rank=4),
        Column("NEXT SLOT", [_shown(one.due.next_slot, zone, now) for one in found], rank=2),
        Column("STALE", [_stale(one) for one in found], rank=1),
    ]
    blocks = [headline, "\n".join(table(columns, width)), explained([one.schedule for one in found], zone, now, width)]
    return "\n\n".join(blocks)


def explained(schedules: Sequence[Schedule], zone: str, now: int, width: int | None) -> str:
    """Each schedule once, in a sentence."""
    said = {str(one): schedule_sentence(one, now, zone) for one in schedules}
    return "\n".join(indented(name, sentence, width) for name, sentence in said.items())


def _shown(instant: int | None, zone: str, now: int) -> str:
    return NONE if instant is None else show_instant(instant, zone, now)


def _stale(one: TableDue) -> str:
    if one.memory.stamped is None:
        return NONE
    if one.lag == 0:
        return "no"
    late = f", over {span(one.target)}" if one.is_late else ""
    return f"{span(one.lag)}{late}"


def due_json(project: Project, found: Sequence[TableDue], now: int) -> dict[str, Any]:
    """Everything, for machines. Instants are ISO 8601 in UTC, spans are seconds."""
    return {
        "project": project.name,
        "target": project.profile.target,
        "asked_at": iso(now),
        "due": sum(one.is_due for one in found),
        "tables": [_record(one, now, project.profile.time_zone) for one in found],
    }


def _record(one: TableDue, now: int, zone: str) -> dict[str, Any]:
    return {
        "node": one.node.id,
        "relation": ".".join(one.node.relation),
        "schedule": str(one.schedule),
        "schedule_in_words": schedule_sentence(one.schedule, now, zone),
        "due": one.is_due,
        "why": one.why,
        "sentence": one.said,
        "needed_by": one.due.needed_by or None,
        "slot": iso(one.due.slot),
        "next_slot": iso(one.due.next_slot),
        "last_run": iso(one.memory.tick),
        "staleness": None if one.lag is None else one.lag / 1000,
        "stale_since": iso(one.behind.since),
        "unknown_sources": list(one.behind.unknown),
        "target": None if one.target is None else one.target / 1000,
        "late": one.is_late,
        "errors_in_a_row": one.memory.errors,
    }
