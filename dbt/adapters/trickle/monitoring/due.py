"""Which stream tables of a project are due, and why: one record per table, from the manifest and the logs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dbt.adapters.trickle.monitoring.prose import indented
from dbt.adapters.trickle.monitoring.short_numbers import NONE, iso, span
from dbt.adapters.trickle.monitoring.staleness import Staleness, UnreadChanges
from dbt.adapters.trickle.monitoring.text_table import TextColumn, text_table
from dbt.adapters.trickle.project import Node, Project
from dbt.adapters.trickle.scheduling.due_tables import DueTables, due_tables_of
from dbt.adapters.trickle.scheduling.memory import RefreshMemory
from trickle.schedule.clock_text import show_instant
from trickle.schedule.due import Due
from trickle.schedule.sentences import schedule_sentence
from trickle.schedule.slots import Schedule

SUSPENDED, BY_HAND = "suspended", "suspended_by_hand"
REASONS = {
    "slot": "its slot has come",
    "every_run": "it has no schedule",
    "never_refreshed": "it was never built",
    "changed": "its model was edited",
    "wrong_clock": "its last refresh lies in the future",
    "not_due": "its slot is taken",
}


@dataclass(frozen=True)
class TableDue:
    """A stream table at the requested instant."""

    node: Node
    schedule: Schedule
    due: Due
    memory: RefreshMemory
    unread: UnreadChanges
    lag: int | None
    """Milliseconds that its rows lag behind its sources; None if unknown."""
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
    def sentence(self) -> str:
        """The reason as a sentence."""
        if self.suspended:
            by_hand = self.memory.suspended_since is not None
            return "it was suspended by hand" if by_hand else f"{self.memory.errors} refreshes in a row failed"
        return f"{self.needed_by} needs it" if self.due.why == "needed" else REASONS[self.due.why]

    @property
    def is_late(self) -> bool:
        return self.lag is not None and self.target is not None and self.lag > self.target


def dues(project: Project, now: int) -> list[TableDue]:
    """Every stream table, in order of name."""
    due_tables = due_tables_of(project, now)
    staleness = Staleness(project.source_log)
    return [_of(node, due_tables, staleness, now) for node in project.stream_tables]


def _of(node: Node, due_tables: DueTables, staleness: Staleness, now: int) -> TableDue:
    memory, schedule, due = due_tables.memories[node.id], due_tables.schedule(node.id), due_tables.due[node.id]
    unread = staleness.of(memory.stamped) if memory.stamped else UnreadChanges()
    return TableDue(
        node=node,
        schedule=schedule,
        due=due,
        memory=memory,
        unread=unread,
        lag=unread.lag(now) if memory.stamped else None,
        target=schedule.target(now),
        suspended=node.id in due_tables.suspended,
        needed_by=due_tables.project.nodes[due.needed_by].name if due.needed_by else "",
    )


def due_text(project: Project, tables: Sequence[TableDue], now: int, width: int | None) -> str:
    """A headline and a table."""
    if not tables:
        return f"{project.name} has no stream tables: set `materialized='stream_table'` in a model's config."
    zone = project.profile.time_zone
    count = sum(table.is_due for table in tables)
    headline = f"{project.name}: {count} of {len(tables)} due at {show_instant(now, zone)} {zone}"
    columns = [
        TextColumn("TABLE", [".".join(table.node.relation) for table in tables], shortens=True),
        TextColumn("DUE", ["yes" if table.is_due else "no" for table in tables]),
        TextColumn("WHY", [table.sentence for table in tables]),
        TextColumn("SCHEDULE", [str(table.schedule) for table in tables], rank=3),
        TextColumn("LAST RUN", [_shown(table.memory.tick, zone, now) for table in tables], rank=4),
        TextColumn("NEXT SLOT", [_shown(table.due.next_slot, zone, now) for table in tables], rank=2),
        TextColumn("STALE", [_stale(table) for table in tables], rank=1),
    ]
    blocks = [
        headline,
        "\n".join(text_table(columns, width)),
        explained([table.schedule for table in tables], zone, now, width),
    ]
    return "\n\n".join(blocks)


def explained(schedules: Sequence[Schedule], zone: str, now: int, width: int | None) -> str:
    """Each schedule once, as a sentence."""
    sentences = {str(schedule): schedule_sentence(schedule, now, zone) for schedule in schedules}
    return "\n".join(indented(name, sentence, width) for name, sentence in sentences.items())


def _shown(instant: int | None, zone: str, now: int) -> str:
    return NONE if instant is None else show_instant(instant, zone, now)


def _stale(table: TableDue) -> str:
    if table.memory.stamped is None:
        return NONE
    if table.lag == 0:
        return "no"
    late = f", over {span(table.target)}" if table.is_late else ""
    return f"{span(table.lag)}{late}"


def due_json(project: Project, tables: Sequence[TableDue], now: int) -> dict[str, Any]:
    """All fields for programs. Instants are ISO 8601 in UTC, durations are seconds."""
    return {
        "project": project.name,
        "target": project.profile.target,
        "asked_at": iso(now),
        "due": sum(table.is_due for table in tables),
        "tables": [_record(table, now, project.profile.time_zone) for table in tables],
    }


def _record(table: TableDue, now: int, zone: str) -> dict[str, Any]:
    return {
        "node": table.node.id,
        "relation": ".".join(table.node.relation),
        "schedule": str(table.schedule),
        "schedule_in_words": schedule_sentence(table.schedule, now, zone),
        "due": table.is_due,
        "why": table.why,
        "sentence": table.sentence,
        "needed_by": table.due.needed_by or None,
        "slot": iso(table.due.slot),
        "next_slot": iso(table.due.next_slot),
        "last_run": iso(table.memory.tick),
        "staleness": None if table.lag is None else table.lag / 1000,
        "stale_since": iso(table.unread.since),
        "unknown_sources": list(table.unread.unknown),
        "target": None if table.target is None else table.target / 1000,
        "late": table.is_late,
        "errors_in_a_row": table.memory.errors,
    }
