"""What a refresh tells dbt: the console's bracket and everything in run_results."""

from __future__ import annotations

from dataclasses import dataclass, field

from dbt.adapters.contracts.connection import AdapterResponse

from dbt.adapters.trickle.monitoring.counts import RowCounts, VersionStep
from trickle import Action

MESSAGE_LENGTH = 60


@dataclass
class ExecutedStatement:
    """A statement of a refresh and how long it took."""

    kind: str
    why: str
    seconds: float


@dataclass
class StreamTableResponse(AdapterResponse):
    """The outcome of a refresh. dbt writes every field into run_results.json."""

    action: str = ""
    reason_code: str = ""
    reason: str = ""
    strategy: str = ""
    rows_inserted: int | None = None
    rows_updated: int | None = None
    rows_deleted: int | None = None
    sources: list[VersionStep] = field(default_factory=list)
    statements: list[ExecutedStatement] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0
    prices: dict[str, float] = field(default_factory=dict)
    """Strategy → estimated seconds, `full` among them; empty when nothing was compared."""
    storage_version: int | None = None
    schedule: str = ""
    """The schedule by which a refresh was left out."""
    next_slot: str = ""
    """When it is due next, in UTC."""
    vector: dict[str, int] = field(default_factory=dict)
    """Base table → the version of it the rows stand for, however many stream tables lie between."""
    data_timestamp: str | None = None
    """When the newest of those versions was committed (UTC); empty without base tables that have versions."""


def message(action: Action, reason_code: str, strategy: str, counts: RowCounts) -> str:
    """At most sixty characters: `INCREMENTAL +12 ~3 -1 merge`, `NO_DATA`, `FULL +120 (first_build)`."""
    words = [action.value]
    if action not in (Action.NO_DATA, Action.SKIP):
        signs = (("+", counts.inserted), ("~", counts.updated), ("-", counts.deleted))
        words += [f"{sign}{count}" for sign, count in signs if count]
        if action in (Action.FULL, Action.REINITIALIZE):
            words.append(f"({reason_code})")
        elif strategy:
            words.append(strategy)
    return " ".join(words)[:MESSAGE_LENGTH]
