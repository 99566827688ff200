"""A stream table that is left as it is in this run: not due, or suspended after too many errors."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dbt.adapters.trickle.decide import State
from dbt.adapters.trickle.in_force import as_written, in_force
from dbt.adapters.trickle.layout import CONSTRAINTS, FACADE, QUERY, SCHEDULE, layout_change
from dbt.adapters.trickle.options import StreamTableConfig
from dbt.adapters.trickle.remembered import consecutive_errors
from dbt.adapters.trickle.response import StreamTableResponse
from trickle import (
    Action,
    Cron,
    Due,
    Reason,
    Schedule,
    Together,
    contract_change,
    iso_instant,
    same_query,
    show_instant,
)


@dataclass(frozen=True)
class Idle:
    """Why nothing is done, for the console, for run_results, and whether hooks run all the same."""

    action: Action
    reason: Reason
    message: str
    runs_hooks: bool
    schedule: str
    next_slot: int | None
    storage_version: int
    started: float

    @property
    def response(self) -> StreamTableResponse:
        return StreamTableResponse(
            _message=self.message,
            code=self.action.value,
            rows_affected=0,
            action=self.action.value,
            reason_code=self.reason.code,
            reason=self.reason.sentence(),
            rows_inserted=0,
            rows_updated=0,
            rows_deleted=0,
            seconds=round(time.monotonic() - self.started, 3),
            storage_version=self.storage_version,
            schedule=self.schedule,
            next_slot=iso_instant(self.next_slot) if self.next_slot is not None else "",
        )

    @property
    def script(self) -> str:
        """What `target/run` shows in place of statements."""
        return f"-- {self.action.value} ({self.reason.code}): {self.reason.sentence()}\n"


@dataclass(frozen=True)
class Present:
    """What is known of a model and its storage before anything is compiled."""

    model: Mapping[str, Any]
    sql: str
    storage: str
    """Identifier of the storage."""
    config: StreamTableConfig
    contract: Mapping[str, str]
    state: State
    started: float


def idle(present: Present, schedule: Schedule, due: Due, tick: int, zone: str) -> Idle | None:
    """None: the table is refreshed. What was never built, or was edited since, waits for no slot and no pardon."""
    if _must_be_built(present):
        return None
    errors = consecutive_errors(present.state.properties, present.state.stamped)
    if errors >= present.config.max_consecutive_errors:
        return _suspended(present, errors, str(schedule))
    if due.due:
        return None
    return _not_due(present, schedule, due, tick, zone)


def _must_be_built(present: Present) -> bool:
    """There are no rows of this very definition, layout and contract, or no view over them."""
    state = present.state
    if state.stamp is None or FACADE not in state.properties:
        return True
    written = as_written(present.sql, present.config, present.model, present.storage)
    model = in_force(written, present.config, state)
    change = layout_change(model.layout, state.log)
    if present.config.on_configuration_change == "apply":
        # Another schedule is no reason to refresh out of turn: the next refresh will note it.
        change = change.without(SCHEDULE)
    return (
        not change.empty
        or model.constraints != state.properties.get(CONSTRAINTS, "")
        or contract_change(state.stamp, present.contract) is not None
        or not same_query(state.properties.get(QUERY, ""), model.sql)
    )


def _not_due(present: Present, schedule: Schedule, due: Due, tick: int, zone: str) -> Idle:
    zone = zone_of(schedule, zone)
    following = "" if due.next_slot is None else show_instant(due.next_slot, zone, tick)
    reason = Reason(
        "not_due", f"The schedule {schedule} has had its refresh; the next slot is {following or 'unknown'} ({zone})."
    )
    message = f"SKIP (not_due) next {following}" if following else "SKIP (not_due)"
    return _idle(present, Action.SKIP, reason, message, str(schedule), due.next_slot)


def _suspended(present: Present, errors: int, schedule: str) -> Idle:
    reason = Reason(
        "suspended",
        f"The last {errors} refreshes failed, and `max_consecutive_errors` is {present.config.max_consecutive_errors}.",
        remedy="Mend the cause, then run with --vars '{trickle_force: true}' or --full-refresh.",
    )
    return _idle(present, Action.SUSPENDED, reason, f"SUSPENDED ({errors} errors)", schedule, None)


def _idle(present: Present, action: Action, reason: Reason, message: str, schedule: str, next_slot: int | None) -> Idle:
    return Idle(
        action=action,
        reason=reason,
        message=message,
        runs_hooks=present.config.hooks_on_skip,
        schedule=schedule,
        next_slot=next_slot,
        storage_version=present.state.log.latest,
        started=present.started,
    )


def zone_of(schedule: Schedule, default: str) -> str:
    """The zone a schedule's slots are read in: a cron expression's own."""
    members = schedule.members if isinstance(schedule, Together) else (schedule,)
    return next((one.zone for one in members if isinstance(one, Cron)), default)
