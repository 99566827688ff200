"""What macros may ask of the adapter about stream tables. Few methods: each is a public promise."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from dbt.adapters.base.meta import available
from dbt_common.exceptions import CompilationError, DbtRuntimeError

from dbt.adapters.trickle.catalog.analyst import SparkAnalyst
from dbt.adapters.trickle.catalog.pins import INVOCATIONS
from dbt.adapters.trickle.catalog.spark_catalog import entry_question
from dbt.adapters.trickle.history.delta_files import DeltaLog, LogUnreadable, last_stamp
from dbt.adapters.trickle.methods.arrangements import Arrangements
from dbt.adapters.trickle.methods.owned_storages import key_of
from dbt.adapters.trickle.methods.statement_session import StatementSession
from dbt.adapters.trickle.methods.watching import RefreshWatcher
from dbt.adapters.trickle.refreshing.checks import Checked, exact_check, failing_row, state_check
from dbt.adapters.trickle.refreshing.damage import Damage
from dbt.adapters.trickle.refreshing.decide import RefreshInput, decide
from dbt.adapters.trickle.refreshing.decision import Decision
from dbt.adapters.trickle.refreshing.execute import Execution, execute
from dbt.adapters.trickle.refreshing.refresh import Refresh, refresh_of
from dbt.adapters.trickle.refreshing.report import responded
from dbt.adapters.trickle.refreshing.response import StreamTableResponse
from dbt.adapters.trickle.relation import TrickleRelation
from dbt.adapters.trickle.storages.storage_state import damaged
from dbt.adapters.trickle.storages.unreadable import unreadable
from dbt.adapters.trickle.versions.plan_cache import PlanCache
from dbt.adapters.trickle.warehouses.embedded.catalog_cache import CATALOG
from dbt.adapters.trickle.warehouses.embedded.contract import contract
from dbt.adapters.trickle.warehouses.embedded.restored_settings import of_profile, of_stamp, restore_settings
from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import folders_of
from trickle import InternalError, Reason, StateError, TrickleError
from trickle.reasons import reason

PARTITION_OVERWRITE = "spark.sql.sources.partitionOverwriteMode"


class StreamTableMethods(Arrangements):
    """Mixed into the adapter; everything here delegates."""

    @available.parse(lambda *_, **__: None)
    def trickle_plan(
        self,
        model: Mapping[str, Any],
        relation: TrickleRelation,
        sql: str,
        full_refresh: bool,
        run_started_at: datetime,
        invocation: str,
        seen: TrickleRelation | None,
        graph: Mapping[str, Any],
    ) -> Refresh:
        """Decide what this refresh does. Nothing is written."""
        started = time.monotonic()
        storage = self._storage_relation(relation)
        location_root = model["config"].get("location_root")
        restored = self._hold_to_profile()
        given = RefreshInput(
            model=model,
            relation=relation,
            storage=storage,
            sql=sql,
            full_refresh=bool(full_refresh),
            run_instant=int(run_started_at.timestamp() * 1000),
            invocation=invocation,
            began=int(time.time() * 1000),
            contract=contract(self.connections.trickle_credentials),
            facade_exists=seen is not None and seen.is_view,
            table_in_view_place=seen is not None and not seen.is_view,
            nodes=INVOCATIONS.of(invocation).nodes(graph),
            restored=restored,
            capabilities=self._session().capabilities,
            plans=self._plans(),
            storage_elsewhere=bool(location_root) and self._is_in_another_folder(storage, location_root),
        )
        return self._planned(replace(given, keep=partial(self._refresh_arrangements, given)), started)

    def _planned(self, given: RefreshInput, started: float) -> Refresh:
        """The refresh of a model, or of an arrangement of one."""
        relation, location_root = given.relation, given.model["config"].get("location_root")
        log = self._storage_log(relation, location_root, self.connections.histories.for_reading)
        if self._is_lost(given.storage, log):
            given = replace(given, damage=Damage(damaged(f"there is no Delta log in {log.path}")))
        self._refuse_occupied(relation, location_root)

        def decided(given: RefreshInput) -> Decision:
            with engine_errors(log):
                return decide(given, self._warehouse(given.invocation), log, self._analyst())

        return refresh_of(decided(given), lambda damage: decided(replace(given, damage=damage)), started)

    @available.parse(lambda *_, **__: None)
    def trickle_run(self, refresh: Refresh, write: Callable[[str], object]) -> StreamTableResponse:
        """Run a refresh to its end. `write` puts a text into the model's file in target/run."""
        session = StatementSession(self._session(), self.connections)
        watcher = RefreshWatcher(refresh, write, lambda: self._forget_relation(refresh.decision.relation))
        with self.connections.exception_handler(""):
            try:
                execution = execute(refresh, session, watcher)
            finally:
                # What follows the data's commit has written to the storage as well.
                refresh.decision.log.by_now()
        for former in execution.refresh.decision.former_arrangements:
            self._drop_arrangement(refresh.decision.relation, former[-1])
        return self._respond(execution)

    def _respond(self, execution: Execution[Refresh]) -> StreamTableResponse:
        """The report for the console and run_results. Models downstream learn the versions behind the rows."""
        response = responded(execution)
        decision = execution.refresh.decision
        invocation, name = INVOCATIONS.of(decision.invocation), ".".join(key_of(decision.relation))
        invocation.shown(name)
        CATALOG.want(entry_question(key_of(decision.relation)))
        if response.storage_version is not None:
            invocation.add_refreshed(name, decision.reading.refreshed_table(response.storage_version, decision.probes))
        return response

    def _forget_relation(self, relation: TrickleRelation) -> None:
        """Remove a dropped table from dbt's list of relations."""
        seen = self._listed(relation)
        if seen is not None:
            self.cache_dropped(seen)

    @available.parse(lambda *_, **__: "")
    def trickle_exact_check(self, relation: TrickleRelation) -> str:
        """SQL that returns the rows in which what users read differs from the SELECT of a stream table."""
        return self._checked(relation, exact_check)

    @available.parse(lambda *_, **__: "")
    def trickle_state_check(self, relation: TrickleRelation) -> str:
        """SQL that returns the stored rows whose hidden state cannot be right."""
        return self._checked(relation, state_check)

    def _checked(self, relation: TrickleRelation, check: Checked) -> str:
        fault = self.trickle_facade_fault(relation)
        if fault:
            return failing_row(fault)
        storage, log = key_of(self._storage_relation(relation)), self._storage_log(relation)
        with engine_errors(log):
            self._hold_to_stamp(log)
            return check(key_of(relation), storage, log, self._warehouse(), self._analyst())

    def _plans(self) -> PlanCache:
        credentials = self.connections.trickle_credentials
        return PlanCache(folders_of(credentials).plans, contract(credentials))

    def _hold_to_profile(self) -> tuple[Reason, ...]:
        """Undo what a hook or an `insert_overwrite` model has SET on this connection and results depend on."""
        session = self._session()
        session.set({PARTITION_OVERWRITE: "static"})
        if not session.started:
            # It will start with the profile's settings.
            return ()
        put_back = restore_settings(session, of_profile(self.connections.trickle_credentials))
        return (reason("setting_restored", what=", ".join(put_back)),) if put_back else ()

    def _hold_to_stamp(self, log: DeltaLog) -> None:
        """A check computes rows as the refresh did, also when the profile has changed since."""
        stamped = last_stamp(log)
        if stamped is not None:
            restore_settings(self._session(), of_stamp(self.connections.trickle_credentials, stamped.stamp))

    def _analyst(self) -> SparkAnalyst:
        return SparkAnalyst(self._session(), self.connections.exception_handler)


@contextmanager
def engine_errors(own: DeltaLog) -> Generator[None, None, None]:
    """The engine's errors as dbt's: the model's fault fails to compile, everything else fails to run.

    `own` is the log of the model's storage: what is wrong with it we can mend.
    """
    try:
        yield
    except (StateError, InternalError) as failure:
        raise DbtRuntimeError(str(failure)) from failure
    except TrickleError as failure:
        raise CompilationError(str(failure)) from failure
    except LogUnreadable as failure:
        raise DbtRuntimeError(unreadable(failure, own)) from failure
    except RecursionError as failure:
        raise CompilationError("The query is nested too deep: take it apart into several models.") from failure
