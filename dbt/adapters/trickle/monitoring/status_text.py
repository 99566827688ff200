"""The status of a project as text for people, and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dbt.adapters.trickle.monitoring.columns import Column, table
from dbt.adapters.trickle.monitoring.orphans import Orphan
from dbt.adapters.trickle.monitoring.prose import indented
from dbt.adapters.trickle.monitoring.short_numbers import NONE, iso, moment, rows, share, size, span
from dbt.adapters.trickle.monitoring.status import STATES, TableStatus
from dbt.adapters.trickle.project.project import Project


def status_text(
    project: Project, found: Sequence[TableStatus], now: int, width: int | None, left: Sequence[Orphan] = ()
) -> str:
    """A headline, a table, and below it a sentence for whatever needs one, and for what removed models have left."""
    if not found:
        none = f"{project.name} has no stream tables: say `materialized='stream_table'` in a model's config."
        return "\n\n".join([none, *_left_over(left, width)])
    blocks = [_headline(project, found, now), "\n".join(table(_columns(found, now, project.profile.time_zone), width))]
    blocks += [
        block for block in (_details(found, width), _recomputed(found, width), _schedules(found, width)) if block
    ]
    return "\n\n".join([*blocks, *_left_over(left, width)])


def _headline(project: Project, found: Sequence[TableStatus], now: int) -> str:
    counted = Counter(one.state for one in found)
    states = ", ".join(f"{counted[state]} {state}" for state in STATES if counted[state])
    tables = "stream table" if len(found) == 1 else "stream tables"
    asked = moment(now, project.profile.time_zone)
    headline = f"{project.name}: {len(found)} {tables}, {states} · {asked} {project.profile.time_zone}"
    if not Path(project.profile.warehouse).is_dir():
        headline += f"\nThere is no warehouse at {project.profile.warehouse} yet: `dbt run` makes it."
    return headline


def _columns(found: Sequence[TableStatus], now: int, zone: str) -> list[Column]:
    names = table_names(found)
    return [
        Column("TABLE", names, shortens=True, ends=True),
        Column("STATE", [one.state for one in found]),
        Column("LAG", [NONE if one.stamped is None else span(one.lag) for one in found], right=True),
        Column("TARGET", [_target(one) for one in found], right=True, rank=2),
        Column("REFRESHED", [_ago(one, now) for one in found], right=True, rank=3),
        Column("BY", [_how(one) for one in found], rank=1),
        Column("MODE", [_mode(one) for one in found], rank=4),
        Column("ROWS", [_rows(one) for one in found], right=True, rank=5),
        Column("SIZE", [size(one.held.bytes) if one.held else NONE for one in found], right=True, rank=6),
        Column("HIDDEN", [share(one.held.hidden_share) if one.held else NONE for one in found], right=True, rank=7),
        Column("DATA OF", [_data(one, zone) for one in found], rank=8),
    ]


def table_names(found: Sequence[TableStatus]) -> list[str]:
    """Identifiers, with their schemas where there are several of them."""
    several = len({one.node.schema.lower() for one in found}) > 1
    return [f"{one.node.schema}.{one.node.alias}" if several else one.node.alias for one in found]


def _target(one: TableStatus) -> str:
    if one.target.milliseconds is not None:
        return span(one.target.milliseconds)
    return one.target.schedule or NONE


def _ago(one: TableStatus, now: int) -> str:
    return f"{span(max(0, now - one.stamped.commit.committed_at), 1)} ago" if one.stamped else NONE


def _how(one: TableStatus) -> str:
    if one.stamped is None:
        return NONE
    stamp = one.stamped.stamp
    how = stamp.strategy if stamp.action in ("INCREMENTAL", "APPEND") else stamp.reason
    return stamp.action if how == stamp.action.lower() else f"{stamp.action} {how}"


def _mode(one: TableStatus) -> str:
    """How the table is maintained, and what was configured where that says more."""
    if not one.maintained:
        return one.mode
    return "full" if one.mode == "full" else one.maintained


def _rows(one: TableStatus) -> str:
    """Rows users see, or with a ~ the stored ones, which may stand for more or fewer."""
    if one.held is None:
        return NONE
    if one.held.shown_rows is not None:
        return rows(one.held.shown_rows)
    return f"~{rows(one.held.stored_rows)}" if one.held.stored_rows is not None else NONE


def _data(one: TableStatus, zone: str) -> str:
    return moment(one.stamped.stamp.data_timestamp, zone) if one.stamped else NONE


def _details(found: Sequence[TableStatus], width: int | None) -> str:
    return _sentences([(name, one.detail) for name, one in zip(table_names(found), found)], width)


def _recomputed(found: Sequence[TableStatus], width: int | None) -> str:
    told = _sentences([(name, " ".join(one.because.values())) for name, one in zip(table_names(found), found)], width)
    return f"Recomputed, because\n{told}" if told else ""


def _schedules(found: Sequence[TableStatus], width: int | None) -> str:
    """Each schedule once, with what it promises."""
    said = {one.target.schedule: one.target.words for one in found if one.target.words}
    told = "\n".join(indented(name, words, width) for name, words in said.items())
    return f"Schedules\n{told}" if told else ""


def _left_over(left: Sequence[Orphan], width: int | None) -> list[str]:
    told = _sentences([(one.relation, one.said) for one in left], width)
    return [f"Orphans, which `dbt-trickle drop-orphans` removes\n{told}"] if told else []


def _sentences(told: Sequence[tuple[str, str]], width: int | None) -> str:
    """Each sentence once, after the names it is about."""
    names: dict[str, list[str]] = {}
    for name, said in told:
        if said:
            names.setdefault(said, []).append(name)
    return "\n".join(indented(", ".join(several), said, width) for said, several in names.items())


def status_json(
    project: Project, found: Sequence[TableStatus], now: int, left: Sequence[Orphan] = ()
) -> dict[str, Any]:
    """Everything, for machines. Instants are ISO 8601 in UTC, spans are seconds."""
    return {
        "project": project.name,
        "target": project.profile.target,
        "warehouse": project.profile.warehouse,
        "asked_at": iso(now),
        "tables": [_record(one) for one in found],
        "orphans": [{"relation": one.relation, "storage": one.storage, "node": one.node} for one in left],
    }


def _record(one: TableStatus) -> dict[str, Any]:
    stamped, held = one.stamped, one.held
    stamp = stamped.stamp if stamped else None
    return {
        "node": one.node.id,
        "name": one.node.name,
        "relation": f"{one.node.schema}.{one.node.alias}",
        "state": one.state,
        "detail": one.detail,
        "lag": _seconds(one.lag),
        "behind": {"since": iso(one.behind.since), "source": one.behind.source} if one.behind.since else None,
        "unknown_sources": list(one.behind.unknown),
        "schedule": one.target.schedule or None,
        "schedule_in_words": one.target.words or None,
        "target_lag": _seconds(one.target.milliseconds),
        "data_timestamp": iso(stamp.data_timestamp) if stamp else None,
        "last_refresh": {
            "at": iso(stamped.commit.committed_at),
            "number": stamped.stamp.refresh,
            "version": stamped.commit.version,
            "action": stamped.stamp.action,
            "reason": stamped.stamp.reason,
            "sentence": one.said,
            "strategy": stamped.stamp.strategy,
            "sources": {name: position.version for name, position in stamped.stamp.frontier.sources.items()},
        }
        if stamped
        else None,
        "refresh_mode": one.mode,
        "maintained": one.maintained or None,
        "because": dict(one.because),
        "rows": held.shown_rows if held else None,
        "stored_rows": held.stored_rows if held else None,
        "bytes": held.bytes if held else None,
        "files": held.files if held else None,
        "hidden_share": round(held.hidden_share, 4) if held and held.hidden_share is not None else None,
        "errors_in_a_row": one.errors,
        "suspended": one.suspended,
        "last_run": _last_run(one),
    }


def _last_run(one: TableStatus) -> dict[str, Any] | None:
    if one.last_run is None:
        return None
    run = one.last_run
    return {"status": run.status, "at": iso(run.at), "action": run.action, "reason": run.reason, "message": run.message}


def _seconds(milliseconds: int | None) -> float | None:
    return None if milliseconds is None else milliseconds / 1000
