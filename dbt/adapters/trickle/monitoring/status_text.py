"""The status of a project as text for people, and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dbt.adapters.trickle.monitoring.orphans import Orphan
from dbt.adapters.trickle.monitoring.prose import indented
from dbt.adapters.trickle.monitoring.short_numbers import NONE, iso, moment, rows, share, size, span
from dbt.adapters.trickle.monitoring.status import STATES, TableStatus
from dbt.adapters.trickle.monitoring.stored_size import StoredSize
from dbt.adapters.trickle.monitoring.text_table import TextColumn, text_table
from dbt.adapters.trickle.project.project import Project


def status_text(
    project: Project, statuses: Sequence[TableStatus], now: int, width: int | None, orphans: Sequence[Orphan] = ()
) -> str:
    """A headline, a table, and below it a sentence for each state or reason that needs one, and for orphans."""
    if not statuses:
        none = f"{project.name} has no stream tables: set `materialized='stream_table'` in a model's config."
        return "\n\n".join([none, *_orphans(orphans, width)])
    blocks = [
        _headline(project, statuses, now),
        "\n".join(text_table(_columns(statuses, now, project.profile.time_zone), width)),
    ]
    blocks += [
        block
        for block in (
            _details(statuses, width),
            _recomputed(statuses, width),
            _arrangements(statuses, width),
            _schedules(statuses, width),
        )
        if block
    ]
    return "\n\n".join([*blocks, *_orphans(orphans, width)])


def _headline(project: Project, statuses: Sequence[TableStatus], now: int) -> str:
    counted = Counter(status.state for status in statuses)
    states = ", ".join(f"{counted[state]} {state}" for state in STATES if counted[state])
    tables = "stream table" if len(statuses) == 1 else "stream tables"
    instant = moment(now, project.profile.time_zone)
    headline = f"{project.name}: {len(statuses)} {tables}, {states} · {instant} {project.profile.time_zone}"
    if not Path(project.profile.warehouse).is_dir():
        headline += f"\nThere is no warehouse at {project.profile.warehouse} yet: `dbt run` creates it."
    return headline


def _columns(statuses: Sequence[TableStatus], now: int, zone: str) -> list[TextColumn]:
    names = table_names(statuses)
    return [
        TextColumn("TABLE", names, shortens=True, ends=True),
        TextColumn("STATE", [status.state for status in statuses]),
        TextColumn("LAG", [NONE if status.stamped is None else span(status.lag) for status in statuses], right=True),
        TextColumn("TARGET", [_target(status) for status in statuses], right=True, rank=2),
        TextColumn("REFRESHED", [_refreshed(status, now) for status in statuses], right=True, rank=3),
        TextColumn("BY", [_last_action(status) for status in statuses], rank=1),
        TextColumn("MODE", [_mode(status) for status in statuses], rank=4),
        TextColumn("ROWS", [_rows(status) for status in statuses], right=True, rank=5),
        TextColumn(
            "SIZE", [size(status.size.bytes) if status.size else NONE for status in statuses], right=True, rank=6
        ),
        TextColumn(
            "HIDDEN",
            [share(status.size.hidden_share) if status.size else NONE for status in statuses],
            right=True,
            rank=7,
        ),
        TextColumn("DATA OF", [_data(status, zone) for status in statuses], rank=8),
    ]


def table_names(statuses: Sequence[TableStatus]) -> list[str]:
    """Identifiers, with their schemas if there is more than one schema."""
    with_schema = len({status.node.schema.lower() for status in statuses}) > 1
    return [f"{status.node.schema}.{status.node.alias}" if with_schema else status.node.alias for status in statuses]


def _target(status: TableStatus) -> str:
    if status.target.milliseconds is not None:
        return span(status.target.milliseconds)
    return status.target.schedule or NONE


def _refreshed(status: TableStatus, now: int) -> str:
    return f"{span(max(0, now - status.stamped.commit.committed_at), 1)} ago" if status.stamped else NONE


def _last_action(status: TableStatus) -> str:
    if status.stamped is None:
        return NONE
    stamp = status.stamped.stamp
    how = stamp.strategy if stamp.action in ("INCREMENTAL", "APPEND") else stamp.reason
    return stamp.action if how == stamp.action.lower() else f"{stamp.action} {how}"


def _mode(status: TableStatus) -> str:
    """How the table is maintained; the configured mode before the first refresh, and where it is `full`."""
    if not status.maintained:
        return status.mode
    return "full" if status.mode == "full" else status.maintained


def _rows(status: TableStatus) -> str:
    """Visible rows; if their number is unknown, stored rows with a ~."""
    if status.size is None:
        return NONE
    if status.size.shown_rows is not None:
        return rows(status.size.shown_rows)
    return f"~{rows(status.size.stored_rows)}" if status.size.stored_rows is not None else NONE


def _data(status: TableStatus, zone: str) -> str:
    return moment(status.stamped.stamp.data_timestamp, zone) if status.stamped else NONE


def _details(statuses: Sequence[TableStatus], width: int | None) -> str:
    return _sentences([(name, status.detail) for name, status in zip(table_names(statuses), statuses)], width)


def _recomputed(statuses: Sequence[TableStatus], width: int | None) -> str:
    lines = _sentences(
        [(name, " ".join(status.because.values())) for name, status in zip(table_names(statuses), statuses)], width
    )
    return f"Recomputed, because\n{lines}" if lines else ""


def _arrangements(statuses: Sequence[TableStatus], width: int | None) -> str:
    """The groupings inside queries that are stored by themselves, and the space they take."""

    def space(part: StoredSize) -> str:
        return f"{NONE if part.stored_rows is None else rows(part.stored_rows)} rows, {size(part.bytes)}"

    lines = [indented(name, space(part), width) for status in statuses for name, part in status.arrangements.items()]
    return "\n".join(["Arrangements", *lines]) if lines else ""


def _schedules(statuses: Sequence[TableStatus], width: int | None) -> str:
    """Each schedule once, with its sentence."""
    by_schedule = {status.target.schedule: status.target.words for status in statuses if status.target.words}
    lines = "\n".join(indented(name, words, width) for name, words in by_schedule.items())
    return f"Schedules\n{lines}" if lines else ""


def _orphans(orphans: Sequence[Orphan], width: int | None) -> list[str]:
    lines = _sentences([(orphan.relation, orphan.sentence) for orphan in orphans], width)
    return [f"Orphans, which `dbt-trickle drop-orphans` removes\n{lines}"] if lines else []


def _sentences(by_name: Sequence[tuple[str, str]], width: int | None) -> str:
    """Each sentence once, after the names it applies to."""
    names: dict[str, list[str]] = {}
    for name, sentence in by_name:
        if sentence:
            names.setdefault(sentence, []).append(name)
    return "\n".join(indented(", ".join(group), sentence, width) for sentence, group in names.items())


def status_json(
    project: Project, statuses: Sequence[TableStatus], now: int, orphans: Sequence[Orphan] = ()
) -> dict[str, Any]:
    """All fields for programs. Instants are ISO 8601 in UTC, durations are seconds."""
    return {
        "project": project.name,
        "target": project.profile.target,
        "warehouse": project.profile.warehouse,
        "asked_at": iso(now),
        "tables": [_record(orphan) for orphan in statuses],
        "orphans": [
            {"relation": orphan.relation, "storage": orphan.storage, "node": orphan.node} for orphan in orphans
        ],
    }


def _record(status: TableStatus) -> dict[str, Any]:
    stamped, size = status.stamped, status.size
    stamp = stamped.stamp if stamped else None
    return {
        "node": status.node.id,
        "name": status.node.name,
        "relation": f"{status.node.schema}.{status.node.alias}",
        "state": status.state,
        "detail": status.detail,
        "lag": _seconds(status.lag),
        "behind": {"since": iso(status.unread.since), "source": status.unread.source} if status.unread.since else None,
        "unknown_sources": list(status.unread.unknown),
        "schedule": status.target.schedule or None,
        "schedule_in_words": status.target.words or None,
        "target_lag": _seconds(status.target.milliseconds),
        "data_timestamp": iso(stamp.data_timestamp) if stamp else None,
        "last_refresh": {
            "at": iso(stamped.commit.committed_at),
            "number": stamped.stamp.refresh,
            "version": stamped.commit.version,
            "action": stamped.stamp.action,
            "reason": stamped.stamp.reason,
            "sentence": status.last_message,
            "strategy": stamped.stamp.strategy,
            "sources": {name: position.version for name, position in stamped.stamp.frontier.sources.items()},
        }
        if stamped
        else None,
        "refresh_mode": status.mode,
        "maintained": status.maintained or None,
        "because": dict(status.because),
        "rows": size.shown_rows if size else None,
        "stored_rows": size.stored_rows if size else None,
        "bytes": size.bytes if size else None,
        "files": size.files if size else None,
        "hidden_share": round(size.hidden_share, 4) if size and size.hidden_share is not None else None,
        "arrangements": {
            name: {"rows": part.stored_rows, "bytes": part.bytes} for name, part in status.arrangements.items()
        },
        "errors_in_a_row": status.errors,
        "suspended": status.suspended,
        "last_run": _last_run(status),
    }


def _last_run(status: TableStatus) -> dict[str, Any] | None:
    if status.last_run is None:
        return None
    run = status.last_run
    return {"status": run.status, "at": iso(run.at), "action": run.action, "reason": run.reason, "message": run.message}


def _seconds(milliseconds: int | None) -> float | None:
    return None if milliseconds is None else milliseconds / 1000
