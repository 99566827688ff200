"""Methods for macros about schedules: whether a stream table is skipped in this run. Failures are counted here."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

from dbt.adapters.base.meta import available
from dbt.adapters.events.logging import AdapterLogger
from dbt_common.exceptions import CompilationError, DbtBaseException, DbtRuntimeError

from dbt.adapters.trickle.history.delta_files import DeltaLog, last_stamp
from dbt.adapters.trickle.methods.listing_without_spark import ListingWithoutSpark
from dbt.adapters.trickle.methods.stream_tables import StreamTableMethods, engine_errors
from dbt.adapters.trickle.monitoring.staleness import Staleness
from dbt.adapters.trickle.options import read_config
from dbt.adapters.trickle.options.location_root import LOCATION_ROOT
from dbt.adapters.trickle.options.max_consecutive_errors import MAX_CONSECUTIVE_ERRORS
from dbt.adapters.trickle.ports import NOT_SUSPENDED, Memory, QuietRefresh, Suspension
from dbt.adapters.trickle.project import Node, Project, nodes_of
from dbt.adapters.trickle.project.profile import Profile
from dbt.adapters.trickle.refreshing.execute import Execution
from dbt.adapters.trickle.refreshing.idle import Idle, Present, idle, is_edited, under_way
from dbt.adapters.trickle.refreshing.refresh import Refresh
from dbt.adapters.trickle.refreshing.response import StreamTableResponse
from dbt.adapters.trickle.relation import TrickleRelation
from dbt.adapters.trickle.scheduling.due_tables import DueTables, DueTablesByInvocation, circle_through, due_tables_of
from dbt.adapters.trickle.scheduling.memory import (
    checksum,
    consecutive_errors,
    failure_properties,
    revoke_forgiveness,
    unforgiven_errors,
)
from dbt.adapters.trickle.storages.location import refuse_long_name
from dbt.adapters.trickle.storages.storage_state import State, read_state
from dbt.adapters.trickle.warehouses.embedded.activity import ACTIVITY
from dbt.adapters.trickle.warehouses.embedded.contract import contract
from dbt.adapters.trickle.warehouses.embedded.folder_memory import FolderMemory
from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import folders_of
from trickle import InvalidView, step_sql
from trickle.apply.steps import SetProperties
from trickle.lower.sources.pin import referenced
from trickle.schedule.slots import CombinedSchedule, Schedule
from trickle.schedule.target_lag import TargetLag

logger = AdapterLogger("Trickle")


@dataclass(frozen=True)
class Attempt:
    """A refresh that this thread has started and not ended."""

    relation: TrickleRelation
    storage: TrickleRelation
    state: State
    most_errors: int
    tick: int
    file: str
    edited: bool
    """Whether its SELECT differs from the stored one."""
    suspension: Suspension = NOT_SUSPENDED

    @property
    def errors(self) -> int:
        """Consecutive failures that were not forgiven."""
        return unforgiven_errors(self.state.definition, self.state.stamped, self.suspension)


class Attempts(threading.local):
    """One attempt per thread: dbt gives a thread one model at a time."""

    current: Attempt | None = None
    executing: bool = False
    """Whether a statement of the refresh has been started."""


class ScheduledStreamTables(ListingWithoutSpark, StreamTableMethods):
    """The methods of stream tables, with their schedules."""

    _due_tables: ClassVar[DueTablesByInvocation] = DueTablesByInvocation()
    _attempts: ClassVar[Attempts] = Attempts()

    @available.parse(lambda *_, **__: None)
    def trickle_idle(
        self,
        model: Mapping[str, Any],
        relation: TrickleRelation,
        sql: str,
        full_refresh: bool,
        force: object,
        run_started_at: datetime,
        invocation: str,
        graph: Mapping[str, Any],
        selected: Sequence[str],
    ) -> Idle | None:
        """Why the model is skipped in this run, from logs alone; None if it is to be refreshed."""
        started = time.monotonic()
        credentials = self.connections.trickle_credentials
        tick = int(run_started_at.timestamp() * 1000)

        def decide() -> DueTables:
            return due_tables_of(self._project(graph), tick, frozenset(selected))

        scheduled = not full_refresh and not _is_true(force)
        log = self._log(relation, model["config"].get("location_root"), scheduled)
        with engine_errors(log):
            refuse_long_name(relation)
            config = read_config(model["config"])
            tables = self._due_tables.of(invocation, decide)
            node = tables.project.nodes[model["unique_id"]]
            self._refuse_circle(node, tables, sql)
            storage = self._storage_relation(relation)
            state = read_state(log, full_refresh)
            suspension = self._memory.suspension(*_names(relation))
            present = Present(
                model, sql, str(storage.identifier), config, contract(credentials), state, started, suspension
            )
            if scheduled:
                schedule = tables.schedule(node.id)
                skip = idle(present, schedule, tables.due[node.id], tick, credentials.time_zone)
                skip = skip or self._under_way(present, schedule, tables, node)
                if skip is not None:
                    return self._skipped(node, skip)
            # Checked before any hook runs and before anything is written.
            self._refuse_occupied(relation, config[LOCATION_ROOT])
        self._attempts.executing = False
        edited, most_errors = is_edited(present), config[MAX_CONSECUTIVE_ERRORS]
        self._attempts.current = Attempt(
            relation, storage, state, most_errors, tick, checksum(model), edited, suspension
        )
        return None

    @available.parse(lambda *_, **__: None)
    def trickle_run(self, refresh: Refresh, write: Callable[[str], object]) -> StreamTableResponse:
        """From here on a failure counts as a failure of the refresh, not of its planning."""
        self._attempts.executing = True
        response: StreamTableResponse = super().trickle_run(refresh, write)
        return response

    def _respond(self, execution: Execution[Refresh]) -> StreamTableResponse:
        """The result of the refresh; if it wrote nothing, the check is recorded in the warehouse."""
        response = super()._respond(execution)
        refresh = execution.refresh
        attempt = self._attempts.current
        self._attempts.current = None
        if attempt is None:
            return response
        if execution.committed is None and attempt.state.storage_id:
            check = QuietRefresh(attempt.state.storage_id, attempt.tick, attempt.file)
            self._record_check(attempt, check)
        if consecutive_errors(attempt.state.properties, attempt.state.stamped) and not refresh.plan.creates:
            now = last_stamp(self.connections.histories.of(refresh.decision.log.path))
            self._set_properties(attempt.storage, failure_properties(0, now, False))
        return response

    def _record_check(self, attempt: Attempt, check: QuietRefresh) -> None:
        """Record a check. A failure is only logged: a lost record costs one check at the next run."""
        try:
            self._memory.write_quiet_refresh(*_names(attempt.relation), check)
        except OSError as failure:
            logger.warning(f"{attempt.relation}: the check for changes could not be recorded ({failure.strerror}).")

    def post_model_hook(self, config: Any, context: Any) -> None:
        """Runs after every model, failed ones included: a refresh without a response has failed.

        Only failures of statements with the stored SELECT count: neither a compilation error nor a failure while a
        model is being edited should suspend the table.
        """
        super().post_model_hook(config, context)
        attempt = self._attempts.current
        self._attempts.current = None
        failure = sys.exc_info()[1]
        stopped = ACTIVITY.interrupted.is_set() or not isinstance(failure, Exception)
        if attempt is None or stopped or not attempt.state.log.exists:
            return
        if attempt.edited or not self._attempts.executing:
            return
        errors = attempt.errors + 1
        suspended = errors >= attempt.most_errors
        try:
            self._set_properties(attempt.storage, failure_properties(errors, attempt.state.stamped, suspended))
            revoke_forgiveness(self._memory, *_names(attempt.relation))
        except DbtBaseException as unwritten:
            # dbt reports the failure of the model itself; raising here would hide it.
            logger.warning(f"{attempt.relation}: its failure could not be counted: {unwritten}")
        if suspended:
            logger.warning(
                f"{attempt.relation} has failed {errors} times in a row and is suspended: an edit of the model's "
                "SELECT, repaired data with --vars '{trickle_force: true}', or "
                f"`dbt-trickle resume {attempt.relation.identifier}` lifts it."
            )

    def _refuse_circle(self, node: Node, tables: DueTables, sql: str) -> None:
        credentials = self.connections.trickle_credentials
        try:
            named = [(name[-2] if len(name) > 1 else str(credentials.schema), name[-1]) for name in referenced(sql)]
        except InvalidView:
            # The compilation reports errors in the text, with their position.
            named = []
        path = circle_through(node, tables.project.nodes, [(schema.lower(), name.lower()) for schema, name in named])
        if path:
            raise CompilationError(
                f"{node.name} reads itself: {path}. dbt does not see this circle, because one of its steps is the name "
                "of a table: let one of them read another table."
            )

    def _project(self, graph: Mapping[str, Any]) -> Project:
        """The project as dbt has it in this run, instead of the manifest on disk."""
        credentials = self.connections.trickle_credentials
        profile = Profile("", str(credentials.schema), credentials.warehouse, credentials.time_zone)
        return Project(Path(), "", nodes_of(graph), profile, histories=self.connections.histories)

    @property
    def _memory(self) -> Memory:
        return FolderMemory(folders_of(self.connections.trickle_credentials))

    def _set_properties(self, storage: TrickleRelation, properties: Mapping[str, str]) -> None:
        self.execute(step_sql(SetProperties(_names(storage), properties, "failures counted")))

    def _log(self, relation: TrickleRelation, location_root: str | None, scheduled: bool) -> DeltaLog:
        """The storage's log. While another run uses the warehouse, the catalog is not asked for its folder."""
        if scheduled and self.other_run is not None and not location_root:
            return self.connections.histories.of(self._managed_path(*_names(self._storage_relation(relation))))
        return self._storage_log(relation, location_root)

    def _under_way(self, present: Present, schedule: Schedule, tables: DueTables, node: Node) -> Idle | None:
        """Why the table is left to another run of dbt; None if no other run uses the warehouse."""
        holder = self.other_run
        if holder is None:
            return None
        lag = _missed_lag(schedule, tables, node)
        return under_way(present, schedule, holder, tables.tick, self.connections.trickle_credentials.time_zone, lag)

    def _skipped(self, node: Node, skip: Idle) -> Idle:
        """The skip, logged; raised as an error if the model's `on_stale` is `error` for it."""
        logger.debug(f"{node.name}: {skip.complaint}")
        if skip.on_stale == "error":
            raise DbtRuntimeError(skip.complaint)
        return skip


def _missed_lag(schedule: Schedule, tables: DueTables, node: Node) -> int | None:
    """The lag of the rows if it exceeds the target lag, else None."""
    targets = [member.duration for member in _members(schedule) if isinstance(member, TargetLag)]
    memory = tables.memories[node.id]
    if not targets or memory.stamped is None or memory.tick is None or tables.tick - memory.tick <= min(targets):
        return None
    # Rows of an old refresh are fresh if no source has changed since.
    lag = Staleness(tables.project.source_log).of(memory.stamped).lag(tables.tick)
    return lag if lag is not None and lag > min(targets) else None


def _members(schedule: Schedule) -> Sequence[object]:
    return schedule.members if isinstance(schedule, CombinedSchedule) else (schedule,)


def _is_true(value: object) -> bool:
    """`--vars '{trickle_force: true}'` passes a boolean; other ways to set a var pass text."""
    return value is True or str(value).strip().lower() in ("true", "1", "yes")


def _names(relation: TrickleRelation) -> tuple[str, str]:
    return str(relation.schema).lower(), str(relation.identifier).lower()
