"""The history of a stream table as text for people, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dbt.adapters.trickle.monitoring.columns import Column, table
from dbt.adapters.trickle.monitoring.counts import VersionStep
from dbt.adapters.trickle.monitoring.prose import indented
from dbt.adapters.trickle.monitoring.refreshes import FOREIGN, RefreshRecord
from dbt.adapters.trickle.monitoring.short_numbers import NONE, iso, moment
from dbt.adapters.trickle.project.nodes import Node

TELLING = ("FULL", "REINITIALIZE", FOREIGN)
"""Actions whose sentence is worth reading below the table."""


def history_text(node: Node, found: Sequence[RefreshRecord], zone: str, width: int | None) -> str:
    """One line a refresh, the newest first, and below the sentences of those that were not incremental."""
    name = ".".join(node.relation)
    if not found:
        return f"{name} was never built: `dbt run` builds it."
    count = "1 refresh" if len(found) == 1 else f"{len(found)} refreshes"
    headline = f"{name}: {count}, the newest first · times in {zone}"
    blocks = [headline, "\n".join(table(_columns(found, zone), width))]
    sentences = _sentences(found)
    if sentences:
        blocks.append("\n".join(indented(version, said, width) for version, said in sentences))
    return "\n\n".join(blocks)


def _columns(found: Sequence[RefreshRecord], zone: str) -> list[Column]:
    return [
        Column("VERSION", [str(one.version) for one in found], right=True),
        Column("WHEN", [moment(one.at, zone) for one in found]),
        Column("ACTION", [one.action for one in found]),
        Column("+", [_count(one.rows.inserted) for one in found], right=True),
        Column("~", [_count(one.rows.updated) for one in found], right=True),
        Column("−", [_count(one.rows.deleted) for one in found], right=True),
        Column("SECONDS", [NONE if one.seconds is None else f"{one.seconds:.1f}" for one in found], right=True, rank=1),
        Column("HOW", [one.strategy or NONE for one in found], rank=3),
        Column("WHY", [one.reason for one in found], rank=2),
        Column("VERSIONS READ", [steps_text(one.sources) for one in found], rank=4, shortens=True),
    ]


def steps_text(steps: Sequence[VersionStep]) -> str:
    """`orders 11→12, customers 3`: one number where the version is the same, or where the source was read whole."""
    return ", ".join(f"{step.source.rpartition('.')[2]} {_step(step)}" for step in steps) or NONE


def _step(step: VersionStep) -> str:
    return str(step.after) if step.before in (None, step.after) else f"{step.before}→{step.after}"


def _count(rows: int | None) -> str:
    return "?" if rows is None else f"{rows:,}" if rows else NONE


def _sentences(found: Sequence[RefreshRecord]) -> list[tuple[str, str]]:
    """One of each reason: what the newest refresh said that had it."""
    told: dict[str, tuple[str, str]] = {}
    for one in found:
        if one.action in TELLING and one.said:
            told.setdefault(one.reason, (f"{one.version} {one.action}", one.said))
    return list(told.values())


def history_json(node: Node, found: Sequence[RefreshRecord]) -> dict[str, Any]:
    """Everything, for machines; the newest first."""
    return {"node": node.id, "relation": ".".join(node.relation), "refreshes": [_record(one) for one in found]}


def _record(one: RefreshRecord) -> dict[str, Any]:
    return {
        "version": one.version,
        "number": one.number,
        "at": iso(one.at),
        "seconds": one.seconds,
        "action": one.action,
        "reason": one.reason,
        "sentence": one.said,
        "strategy": one.strategy,
        "rows_inserted": one.rows.inserted,
        "rows_updated": one.rows.updated,
        "rows_deleted": one.rows.deleted,
        "data_timestamp": iso(one.data_timestamp) if one.data_timestamp else None,
        "sources": [{"source": step.source, "before": step.before, "after": step.after} for step in one.sources],
    }
