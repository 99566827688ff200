"""What a refresh tells dbt: the console's bracket and everything in run_results."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dbt.adapters.contracts.connection import AdapterResponse

from dbt.adapters.trickle.monitoring.counts import RowCounts
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
    metrics: dict[str, Any] = field(default_factory=dict)
    """By name, in the values that JSON has. In run_results each is a key beside the others here."""
    notes: list[str] = field(default_factory=list)
    storage_version: int | None = None
    schedule: str = ""
    """The schedule by which a refresh was left out."""
    next_slot: str = ""
    """When it is due next, in UTC."""
    vector: dict[str, int] = field(default_factory=dict)
    """Base table → the version of it that the rows reflect, however many stream tables lie between."""
    data_timestamp: str | None = None
    """When the newest of those versions was committed (UTC); empty without base tables that have versions."""

    def __post_serialize__(self, data: dict[str, Any], context: dict[str, Any] | None = None) -> dict[str, Any]:
        """What nobody counted is left out, as dbt leaves out its own empty fields."""
        written = super().__post_serialize__(data, context)
        known = {name: value for name, value in written.pop("metrics").items() if value is not None}
        return {**written, **known}


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
