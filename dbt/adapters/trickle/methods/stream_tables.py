"""What macros may ask of the adapter about stream tables. Few methods: each is a public promise."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any

from dbt.adapters.base.meta import available
from dbt.adapters.events.logging import AdapterLogger
from dbt_common.exceptions import CompilationError, DbtRuntimeError

from dbt.adapters.trickle.catalog.analyst import SparkAnalyst
from dbt.adapters.trickle.catalog.pins import INVOCATIONS
from dbt.adapters.trickle.history.delta_files import DeltaLog, LogUnreadable, last_stamp
from dbt.adapters.trickle.methods.owned_storages import OwnedStorages, key_of
from dbt.adapters.trickle.refreshing.checks import Checked, exact_check, failing_row, state_check
from dbt.adapters.trickle.refreshing.decide import RefreshInput, decide
from dbt.adapters.trickle.refreshing.planned_once import planned_once
from dbt.adapters.trickle.refreshing.refresh import Decision, Refresh
from dbt.adapters.trickle.refreshing.report import responded
from dbt.adapters.trickle.refreshing.response import ExecutedStatement, StreamTableResponse
from dbt.adapters.trickle.refreshing.stamping import stamping, verify_commit
from dbt.adapters.trickle.relation import TrickleRelation
from dbt.adapters.trickle.storages.location import clear_remains
from dbt.adapters.trickle.storages.storage_state import damaged
from dbt.adapters.trickle.storages.unreadable import unreadable
from dbt.adapters.trickle.warehouses.embedded.computed_parts import computed_first
from dbt.adapters.trickle.warehouses.embedded.contract import contract
from dbt.adapters.trickle.warehouses.embedded.restored_settings import of_profile, of_stamp, restore_settings
from trickle import DATA_KINDS, Action, InternalError, Reason, StateError, TrickleError, reason

logger = AdapterLogger("Trickle")
PARTITION_OVERWRITE = "spark.sql.sources.partitionOverwriteMode"
DROP, FACADE_REPLACED = "drop", "facade_replaced"
DATA_KIND_NAMES = frozenset(kind.value for kind in DATA_KINDS)


class StreamTableMethods(OwnedStorages):
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
        asked = RefreshInput(
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
            nodes=INVOCATIONS.of(invocation).nodes(graph),
            restored=restored,
            storage_elsewhere=bool(location_root) and self._is_in_another_folder(storage, location_root),
        )
        log = self._storage_log(relation, location_root, self.connections.histories.for_reading)
        if self._is_lost(storage, log):
            asked = replace(asked, damage=damaged(f"there is no Delta log in {log.path}"))
        self._refuse_occupied(relation, location_root)

        def decided(asked: RefreshInput) -> Decision:
            with engine_errors(log):
                return decide(asked, self._warehouse(invocation), log, self._analyst())

        refresh = Refresh(decided(asked), started=started, again=lambda why: decided(replace(asked, damage=why)))
        self._say_what_is_done(refresh)
        return refresh

    def _say_what_is_done(self, refresh: Refresh) -> None:
        name = refresh.decision.relation.identifier
        say = logger.info if _noteworthy(refresh.plan.action) else logger.debug
        say(f"{name}: {refresh.headline}")
        for note in refresh.plan.notes:
            if note.code == FACADE_REPLACED:
                logger.info(f"{name}: {note.sentence()}")

    @available.parse(lambda *_, **__: None)
    def trickle_execute(self, refresh: Refresh, kind: str, why: str, sql: str) -> None:
        """Run one statement of a refresh; a data statement carries the stamp into its commit."""
        started = time.monotonic()
        if kind in DATA_KIND_NAMES:
            try:
                self._commit(refresh, sql)
            except DbtRuntimeError as failure:
                if refresh.starts_anew(failure):
                    self._say_what_is_done(refresh)
                    return
                if not refresh.goes_another_way(failure):
                    raise
                logger.info(f"{refresh.decision.relation.identifier}: {refresh.headline}")
                (statement,) = refresh.data_statements
                refresh.announce(statement.why, statement.sql)
                self._commit(refresh, statement.sql)
            verify_commit(refresh)
        else:
            self.execute(sql)
            if kind == DROP and refresh.decision.unreadable:
                clear_remains(refresh.decision.log.path)
        refresh.executed.append(ExecutedStatement(kind, why, round(time.monotonic() - started, 3)))

    def _commit(self, refresh: Refresh, sql: str) -> None:
        session = self._session()
        with (
            # Java may go at any moment: what is undone at the end of a statement would hide that.
            self.connections.exception_handler(sql),
            computed_first(session, refresh.parts),
            session.with_settings({**stamping(refresh.decision.stamp), **planned_once(refresh.one_task)}),
        ):
            self.execute(sql)

    @available.parse(lambda *_, **__: None)
    def trickle_response(self, refresh: Refresh) -> StreamTableResponse:
        """What the refresh did, for the console and run_results; what it stands for, for models downstream."""
        response = responded(refresh)
        INVOCATIONS.of(refresh.decision.invocation).shown(".".join(key_of(refresh.decision.relation)))
        if response.storage_version is not None:
            decision = refresh.decision
            stood = decision.reading.stood(response.storage_version, decision.probes)
            INVOCATIONS.of(decision.invocation).refreshed(".".join(key_of(decision.relation)), stood)
        return response

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

    def _hold_to_profile(self) -> tuple[Reason, ...]:
        """Undo what a hook or an `insert_overwrite` model has SET on this connection and results depend on."""
        session = self._session()
        put_back = restore_settings(session, of_profile(self.connections.trickle_credentials))
        session.set({PARTITION_OVERWRITE: "static"})
        return (reason("setting_restored", what=", ".join(put_back)),) if put_back else ()

    def _hold_to_stamp(self, log: DeltaLog) -> None:
        """A check computes rows as the refresh did, also when the profile has changed since."""
        stamped = last_stamp(log)
        if stamped is not None:
            restore_settings(self._session(), of_stamp(self.connections.trickle_credentials, stamped.stamp))

    def _analyst(self) -> SparkAnalyst:
        return SparkAnalyst(self._session(), self.connections.exception_handler)


def _noteworthy(action: Action) -> bool:
    return action in (Action.FULL, Action.REINITIALIZE)


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
