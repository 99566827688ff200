"""What macros may ask about schedules: whether a stream table is left alone in this run. Failures are counted here."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Mapping, Sequence
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
from dbt.adapters.trickle.project import Node, Project, nodes_of
from dbt.adapters.trickle.project.profile import Profile
from dbt.adapters.trickle.refreshing.idle import Idle, Present, idle, is_edited, under_way
from dbt.adapters.trickle.refreshing.refresh import Refresh
from dbt.adapters.trickle.refreshing.response import StreamTableResponse
from dbt.adapters.trickle.relation import TrickleRelation
from dbt.adapters.trickle.scheduling.due_tables import Round, Rounds, circle_through, judge_round
from dbt.adapters.trickle.scheduling.memory import (
    QuietRefresh,
    QuietRefreshes,
    checksum,
    consecutive_errors,
    failure_properties,
    standing_errors,
)
from dbt.adapters.trickle.scheduling.suspensions import NONE, Ruling, Suspensions
from dbt.adapters.trickle.storages.place import refuse_long_name
from dbt.adapters.trickle.storages.storage_state import State, read_state
from dbt.adapters.trickle.warehouses.embedded.activity import ACTIVITY
from dbt.adapters.trickle.warehouses.embedded.contract import contract
from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import folders_of
from trickle import CombinedSchedule, InvalidView, Schedule, TargetLag, referenced

logger = AdapterLogger("Trickle")


@dataclass(frozen=True)
class Attempt:
    """A refresh that this thread has begun and not ended."""

    relation: TrickleRelation
    storage: TrickleRelation
    state: State
    most_errors: int
    tick: int
    file: str
    edited: bool
    """Whether its SELECT is another than the stored one."""
    ruling: Ruling = NONE

    @property
    def errors(self) -> int:
        """Failures that still stand against the table."""
        return standing_errors(self.state.definition, self.state.stamped, self.ruling)


class Attempts(threading.local):
    """One a thread: dbt gives a thread one model at a time."""

    current: Attempt | None = None
    executing: bool = False
    """Whether a statement of the refresh has been started."""


class ScheduledStreamTables(ListingWithoutSpark, StreamTableMethods):
    """The methods of stream tables, with their schedules."""

    _rounds: ClassVar[Rounds] = Rounds()
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
        """Why the model is left as it is in this run, from logs alone; None when it is to be refreshed."""
        started = time.monotonic()
        credentials = self.connections.trickle_credentials
        tick = int(run_started_at.timestamp() * 1000)

        def judge() -> Round:
            return judge_round(self._project(graph), tick, frozenset(selected))

        at_will = not full_refresh and not _is_true(force)
        log = self._log(relation, model["config"].get("location_root"), at_will)
        with engine_errors(log):
            refuse_long_name(relation)
            config = read_config(model["config"])
            round_ = self._rounds.of(invocation, judge)
            node = round_.project.nodes[model["unique_id"]]
            self._refuse_circle(node, round_, sql)
            storage = self._storage_relation(relation)
            state = read_state(log, full_refresh)
            ruling = self._rulings.of(*_names(relation))
            present = Present(
                model, sql, str(storage.identifier), config, contract(credentials), state, started, ruling
            )
            if at_will:
                schedule = round_.schedule(node.id)
                found = idle(present, schedule, round_.due[node.id], tick, credentials.time_zone)
                found = found or self._under_way(present, schedule, round_, node)
                if found is not None:
                    return self._left(node, found)
            # Before a hook has run, and long before anything is written.
            self._refuse_occupied(relation, config[LOCATION_ROOT])
        self._attempts.executing = False
        self._attempts.current = Attempt(
            relation, storage, state, config[MAX_CONSECUTIVE_ERRORS], tick, checksum(model), is_edited(present), ruling
        )
        return None

    @available.parse(lambda *_, **__: None)
    def trickle_execute(self, refresh: Refresh, kind: str, why: str, sql: str) -> None:
        """From here on a failure is one of the refresh, and not of what it was planned from."""
        self._attempts.executing = True
        super().trickle_execute(refresh, kind, why, sql)

    @available.parse(lambda *_, **__: None)
    def trickle_response(self, refresh: Refresh) -> StreamTableResponse:
        """What the refresh did; when it wrote nothing, the warehouse remembers that it was checked."""
        response: StreamTableResponse = super().trickle_response(refresh)
        attempt = self._attempts.current
        self._attempts.current = None
        if attempt is None:
            return response
        if refresh.committed is None and attempt.state.storage_id:
            check = QuietRefresh(attempt.state.storage_id, attempt.tick, attempt.file)
            self._keep(attempt, check)
        if consecutive_errors(attempt.state.properties, attempt.state.stamped) and not refresh.creates:
            now = last_stamp(DeltaLog(refresh.decision.log.path))
            self._set_properties(attempt.storage, failure_properties(0, now, False))
        return response

    def _keep(self, attempt: Attempt, check: QuietRefresh) -> None:
        """Losing it costs no more than a check at the next run, which is no reason to fail."""
        try:
            self._checks.keep(*_names(attempt.storage), check)
        except OSError as failure:
            logger.warning(f"{attempt.relation}: that nothing had changed cannot be noted ({failure.strerror}).")

    def post_model_hook(self, config: Any, context: Any) -> None:
        """Runs after every model, failed ones included: a refresh that has not come to its response has failed.

        Counted are failures of statements, over the SELECT that is stored: neither what does not compile nor what fails
        while a model is being edited is a reason to leave the table alone.
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
            self._rulings.hold_against(*_names(attempt.relation))
        except DbtBaseException as unwritten:
            # The failure of the model itself is what dbt reports; this one would hide it.
            logger.warning(f"{attempt.relation}: its failure could not be counted: {unwritten}")
        if suspended:
            logger.warning(
                f"{attempt.relation} has failed {errors} times in a row and is suspended: an edit of the model's "
                "SELECT, repaired data with --vars '{trickle_force: true}', or "
                f"`dbt-trickle resume {attempt.relation.identifier}` lifts it."
            )

    def _refuse_circle(self, node: Node, round_: Round, sql: str) -> None:
        credentials = self.connections.trickle_credentials
        try:
            named = [(name[-2] if len(name) > 1 else str(credentials.schema), name[-1]) for name in referenced(sql)]
        except InvalidView:
            # What is wrong with the text is said where it is compiled, with its place.
            named = []
        way = circle_through(node, round_.project.nodes, [(schema.lower(), name.lower()) for schema, name in named])
        if way:
            raise CompilationError(
                f"{node.name} reads itself: {way}. dbt does not see this circle, because one of its steps is the name "
                "of a table: read one of them from another place."
            )

    def _project(self, graph: Mapping[str, Any]) -> Project:
        """The project as dbt knows it in this run, in place of the manifest on disk."""
        credentials = self.connections.trickle_credentials
        profile = Profile("", str(credentials.schema), credentials.warehouse, credentials.time_zone)
        return Project(Path(), "", nodes_of(graph), profile)

    @property
    def _checks(self) -> QuietRefreshes:
        return QuietRefreshes(folders_of(self.connections.trickle_credentials).checks)

    @property
    def _rulings(self) -> Suspensions:
        return Suspensions(folders_of(self.connections.trickle_credentials).rulings)

    def _set_properties(self, storage: TrickleRelation, properties: Mapping[str, str]) -> None:
        self.execute_macro("trickle_set_properties", kwargs={"storage": storage, "properties": dict(properties)})

    def _log(self, relation: TrickleRelation, location_root: str | None, at_will: bool) -> DeltaLog:
        """Where a table is that was never built, only Spark knows; nobody asks it while another run has it."""
        if at_will and self.other_run is not None and not location_root:
            return DeltaLog(self._managed_path(*_names(self._storage_relation(relation))))
        return self._storage_log(relation, location_root)

    def _under_way(self, present: Present, schedule: Schedule, round_: Round, node: Node) -> Idle | None:
        """The table is left to another run of dbt that began before this one; None when there is none."""
        holder = self.other_run
        if holder is None:
            return None
        lag = _broken_promise(schedule, round_, node)
        return under_way(present, schedule, holder, round_.tick, self.connections.trickle_credentials.time_zone, lag)

    def _left(self, node: Node, found: Idle) -> Idle:
        """The model is left as it is: dbt fails it where that breaks a promise, unless the model says otherwise."""
        logger.debug(f"{node.name}: {found.complaint}")
        if found.on_stale == "error":
            raise DbtRuntimeError(found.complaint)
        return found


def _broken_promise(schedule: Schedule, round_: Round, node: Node) -> int | None:
    """How old the rows are, when that is more than a target lag promises; None when it is not."""
    targets = [one.duration for one in _members(schedule) if isinstance(one, TargetLag)]
    memory = round_.memories[node.id]
    if not targets or memory.stamped is None or memory.tick is None or round_.tick - memory.tick <= min(targets):
        return None
    # Long ago is not too old where no source has changed since.
    lag = Staleness(round_.project.source_log).of(memory.stamped).lag(round_.tick)
    return lag if lag is not None and lag > min(targets) else None


def _members(schedule: Schedule) -> Sequence[object]:
    return schedule.members if isinstance(schedule, CombinedSchedule) else (schedule,)


def _is_true(value: object) -> bool:
    """`--vars '{trickle_force: true}'` gives a boolean, other ways of setting a var give text."""
    return value is True or str(value).strip().lower() in ("true", "1", "yes")


def _names(relation: TrickleRelation) -> tuple[str, str]:
    return str(relation.schema).lower(), str(relation.identifier).lower()
