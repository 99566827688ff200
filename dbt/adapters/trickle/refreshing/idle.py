"""A stream table that is left as it is in this run: not due, suspended, or refreshed by another run at this moment."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from dbt.adapters.trickle.names import STORAGE_SUFFIX
from dbt.adapters.trickle.options import StreamTableConfig
from dbt.adapters.trickle.options.hooks_on_skip import HOOKS_ON_SKIP
from dbt.adapters.trickle.options.max_consecutive_errors import MAX_CONSECUTIVE_ERRORS
from dbt.adapters.trickle.options.on_configuration_change import ON_CONFIGURATION_CHANGE
from dbt.adapters.trickle.options.on_stale import ON_STALE
from dbt.adapters.trickle.ports import NOT_SUSPENDED, Suspension
from dbt.adapters.trickle.refreshing.effective_model import configured, effective_model
from dbt.adapters.trickle.refreshing.metrics import left_out
from dbt.adapters.trickle.refreshing.response import StreamTableResponse
from dbt.adapters.trickle.scheduling.memory import unforgiven_errors
from dbt.adapters.trickle.storages.storage_state import State
from dbt.adapters.trickle.storages.table_properties import CONSTRAINTS, FACADE, QUERY, SCHEDULE, table_change
from dbt.adapters.trickle.warehouses.embedded.lock import Holder
from trickle import Action, Reason
from trickle.catalog.contract import contract_change
from trickle.lower.sources.pin import same_query
from trickle.schedule.clock_text import iso_instant, show_instant
from trickle.schedule.due import Due
from trickle.schedule.duration import show_duration
from trickle.schedule.every import Every
from trickle.schedule.sentences import schedule_sentence
from trickle.schedule.slots import CombinedSchedule, Cron, Schedule
from trickle.schedule.target_lag import TargetLag


@dataclass(frozen=True)
class Idle:
    """Why nothing is done, for the console, for run_results, and whether hooks run all the same."""

    action: Action
    reason: Reason
    message: str
    runs_hooks: bool
    schedule: str
    next_slot: int | None
    storage_version: int | None
    started: float
    on_stale: str = "ignore"
    """What dbt makes of it: `error`, `warn` or `ignore`."""

    @property
    def warning(self) -> str:
        """What dbt warns of; '' when it is to be silent."""
        return self.complaint if self.on_stale == "warn" else ""

    @property
    def complaint(self) -> str:
        return f"{self.action.value} ({self.reason.code}): {self.reason.sentence()}"

    @property
    def response(self) -> StreamTableResponse:
        return StreamTableResponse(
            _message=self.message,
            code=self.action.value,
            rows_affected=0,
            action=self.action.value,
            reason_code=self.reason.code,
            reason=self.reason.sentence(),
            metrics=left_out(time.monotonic() - self.started),
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
    suspension: Suspension = NOT_SUSPENDED

    @property
    def name(self) -> str:
        return str(self.model.get("name") or self.storage.removesuffix(STORAGE_SUFFIX))


def idle(present: Present, schedule: Schedule, due: Due, tick: int, zone: str) -> Idle | None:
    """None: the table is refreshed. What was never built, or was edited since, waits for no slot and no pardon."""
    if present.suspension.suspended_since is not None:
        return _suspended_by_hand(present, present.suspension.suspended_since, str(schedule), tick, zone)
    if _must_be_built(present):
        return None
    errors = unforgiven_errors(present.state.definition, present.state.stamped, present.suspension)
    if errors >= present.config[MAX_CONSECUTIVE_ERRORS]:
        return _suspended(present, errors, str(schedule))
    if due.due:
        return None
    return _not_due(present, schedule, due, tick, zone)


def is_edited(present: Present) -> bool:
    """Whether the SELECT is another than the one that is stored, so that failures are those of an edit under way."""
    query = present.state.properties.get(QUERY, "")
    return bool(query) and not same_query(query, present.sql)


def _must_be_built(present: Present) -> bool:
    """There are no rows of this very definition, layout and contract, or no view over them."""
    state = present.state
    if state.stamp is None or FACADE not in state.properties:
        return True
    written = configured(present.sql, present.config, present.model, present.storage)
    model = effective_model(written, present.config, state)
    change = table_change(model.layout, state.log)
    if present.config[ON_CONFIGURATION_CHANGE] == "apply":
        # Another schedule is no reason to refresh out of turn: the next refresh will note it.
        change = change.without(SCHEDULE)
    return (
        not change.empty
        or model.constraints != state.properties.get(CONSTRAINTS, "")
        or contract_change(state.stamp, present.contract) is not None
        or not same_query(state.properties.get(QUERY, ""), model.sql)
    )


def _not_due(present: Present, schedule: Schedule, due: Due, tick: int, zone: str) -> Idle:
    shown_in = zone_of(schedule, zone)
    following = "" if due.next_slot is None else show_instant(due.next_slot, shown_in, tick)
    words = "" if isinstance(schedule, Cron) else f" {schedule_sentence(schedule, tick, zone)}"
    reason = Reason(
        "not_due",
        f"The schedule {schedule} has had its refresh; the next slot is {following or 'unknown'} ({shown_in}).{words}",
    )
    message = f"SKIP (not_due) next {following}" if following else "SKIP (not_due)"
    if isinstance(schedule, TargetLag):
        # The next slot alone would look like a mistake to whoever wrote `1h`.
        message += f" (lag < {show_duration(schedule.duration)})"
    return _idle(present, Action.SKIP, reason, message, str(schedule), due.next_slot)


def _suspended(present: Present, errors: int, schedule: str) -> Idle:
    reason = Reason(
        "suspended",
        f"The last {errors} refreshes of {present.name} failed, and `max_consecutive_errors` is "
        f"{present.config[MAX_CONSECUTIVE_ERRORS]}: its rows stay as they are.",
        remedy="An edit of the model's SELECT, repaired data with --vars '{trickle_force: true}', or "
        f"`dbt-trickle resume {present.name}` lifts it.",
    )
    idle = _idle(present, Action.SUSPENDED, reason, f"SUSPENDED ({errors} errors)", schedule, None)
    return replace(idle, on_stale=present.config[ON_STALE])


def _suspended_by_hand(present: Present, since: int, schedule: str, tick: int, zone: str) -> Idle:
    """Somebody chose it, so it is no error, but never silent unless that was chosen too."""
    reason = Reason(
        "suspended_by_hand",
        f"{present.name} was suspended with `dbt-trickle suspend` ({show_instant(since, zone, tick)} {zone}): its rows "
        "stay as they are.",
        remedy=f"`dbt-trickle resume {present.name}` lifts it.",
    )
    idle = _idle(present, Action.SUSPENDED, reason, "SUSPENDED (by hand)", schedule, None)
    return replace(idle, on_stale="ignore" if present.config[ON_STALE] == "ignore" else "warn")


def under_way(
    present: Present, schedule: Schedule, holder: Holder, tick: int, zone: str, lag: int | None = None
) -> Idle:
    """Another run of dbt has the warehouse. `lag`: how old the rows are, where that is more than was promised."""
    since = show_instant(holder.since, zone, tick)
    late = (
        "" if lag is None else f" Its rows are {show_duration(lag // 1000 * 1000)} old, and its schedule is {schedule}."
    )
    reason = Reason(
        "refresh_under_way",
        f"Process {holder.pid} has been running dbt in this warehouse since {since} ({zone}), and refreshes what is "
        f"due.{late}",
        remedy="To wait for it instead, say `when_busy: wait` in the profile.",
    )
    message = f"SKIP (refresh_under_way) by process {holder.pid}"
    idle = _idle(present, Action.SKIP, reason, message, str(schedule), None)
    return idle if lag is None else replace(idle, on_stale=present.config[ON_STALE])


def _idle(present: Present, action: Action, reason: Reason, message: str, schedule: str, next_slot: int | None) -> Idle:
    return Idle(
        action=action,
        reason=reason,
        message=message,
        runs_hooks=present.config[HOOKS_ON_SKIP],
        schedule=schedule,
        next_slot=next_slot,
        storage_version=present.state.log.latest if present.state.log.exists else None,
        started=present.started,
    )


def zone_of(schedule: Schedule, default: str) -> str:
    """The zone a schedule's slots are read in: that of a cron expression or of a clock's grid."""
    members = schedule.members if isinstance(schedule, CombinedSchedule) else (schedule,)
    return next((member.zone for member in members if isinstance(member, (Cron, Every))), default)
