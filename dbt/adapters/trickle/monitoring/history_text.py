"""The history of a stream table as text for people, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dbt.adapters.trickle.monitoring.counts import VersionStep
from dbt.adapters.trickle.monitoring.prose import indented
from dbt.adapters.trickle.monitoring.refreshes import FOREIGN, RefreshRecord
from dbt.adapters.trickle.monitoring.short_numbers import NONE, iso, moment
from dbt.adapters.trickle.monitoring.text_table import TextColumn, text_table
from dbt.adapters.trickle.project.nodes import Node

EXPLAINED = ("FULL", "REINITIALIZE", FOREIGN)
"""Actions whose sentence is printed below the table."""


def history_text(node: Node, records: Sequence[RefreshRecord], zone: str, width: int | None) -> str:
    """One line per refresh, the newest first; below, the sentences of those that were not incremental."""
    name = ".".join(node.relation)
    if not records:
        return f"{name} was never built: `dbt run` builds it."
    count = "1 refresh" if len(records) == 1 else f"{len(records)} refreshes"
    headline = f"{name}: {count}, the newest first · times in {zone}"
    blocks = [headline, "\n".join(text_table(_columns(records, zone), width))]
    sentences = _sentences(records)
    if sentences:
        blocks.append("\n".join(indented(version, sentence, width) for version, sentence in sentences))
    return "\n\n".join(blocks)


def _columns(records: Sequence[RefreshRecord], zone: str) -> list[TextColumn]:
    return [
        TextColumn("VERSION", [str(record.version) for record in records], right=True),
        TextColumn("WHEN", [moment(record.at, zone) for record in records]),
        TextColumn("ACTION", [record.action for record in records]),
        TextColumn("+", [_count(record.rows.inserted) for record in records], right=True),
        TextColumn("~", [_count(record.rows.updated) for record in records], right=True),
        TextColumn("−", [_count(record.rows.deleted) for record in records], right=True),
        TextColumn(
            "SECONDS",
            [NONE if record.seconds is None else f"{record.seconds:.1f}" for record in records],
            right=True,
            rank=1,
        ),
        TextColumn("HOW", [record.strategy or NONE for record in records], rank=3),
        TextColumn("WHY", [record.reason for record in records], rank=2),
        TextColumn("VERSIONS READ", [steps_text(record.sources) for record in records], rank=4, shortens=True),
    ]


def steps_text(steps: Sequence[VersionStep]) -> str:
    """`orders 11→12, customers 3`: one number where the version is the same, or where the source was read whole."""
    return ", ".join(f"{step.source.rpartition('.')[2]} {_step(step)}" for step in steps) or NONE


def _step(step: VersionStep) -> str:
    return str(step.after) if step.before in (None, step.after) else f"{step.before}→{step.after}"


def _count(rows: int | None) -> str:
    return "?" if rows is None else f"{rows:,}" if rows else NONE


def _sentences(records: Sequence[RefreshRecord]) -> list[tuple[str, str]]:
    """One sentence per reason: that of the newest refresh with the reason."""
    by_reason: dict[str, tuple[str, str]] = {}
    for record in records:
        if record.action in EXPLAINED and record.sentence:
            by_reason.setdefault(record.reason, (f"{record.version} {record.action}", record.sentence))
    return list(by_reason.values())


def history_json(node: Node, records: Sequence[RefreshRecord]) -> dict[str, Any]:
    """All fields for programs; the newest refresh first."""
    return {"node": node.id, "relation": ".".join(node.relation), "refreshes": [_record(record) for record in records]}


def _record(record: RefreshRecord) -> dict[str, Any]:
    return {
        "version": record.version,
        "number": record.number,
        "at": iso(record.at),
        "seconds": record.seconds,
        "action": record.action,
        "reason": record.reason,
        "sentence": record.sentence,
        "strategy": record.strategy,
        "rows_inserted": record.rows.inserted,
        "rows_updated": record.rows.updated,
        "rows_deleted": record.rows.deleted,
        "data_timestamp": iso(record.data_timestamp) if record.data_timestamp else None,
        "sources": [{"source": step.source, "before": step.before, "after": step.after} for step in record.sources],
    }
