"""What macros may ask of the adapter about stream tables. Few methods: each is a public promise."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dbt.adapters.base.meta import AdapterMeta, available
from dbt.adapters.events.logging import AdapterLogger
from dbt_common.exceptions import CompilationError, DbtRuntimeError

from dbt.adapters.trickle.analyst import SparkAnalyst
from dbt.adapters.trickle.audit import exact_check, state_check
from dbt.adapters.trickle.decide import Asked, decide, read_state
from dbt.adapters.trickle.delta_log import DeltaLog, LogUnreadable, last_stamp
from dbt.adapters.trickle.embedded.contract import contract
from dbt.adapters.trickle.embedded.hold import hold, of_profile, of_stamp
from dbt.adapters.trickle.embedded.layout import table_path
from dbt.adapters.trickle.embedded.objects import START_SCHEMA, OwnSettings
from dbt.adapters.trickle.embedded.parts import computed_first
from dbt.adapters.trickle.embedded.session import EmbeddedSession
from dbt.adapters.trickle.layout import FACADE, RETIRED
from dbt.adapters.trickle.names import storage_name
from dbt.adapters.trickle.pins import INVOCATIONS
from dbt.adapters.trickle.planning import planned_once
from dbt.adapters.trickle.refresh import Refresh
from dbt.adapters.trickle.relation import TrickleRelation
from dbt.adapters.trickle.report import responded
from dbt.adapters.trickle.response import ExecutedStatement, StreamTableResponse
from dbt.adapters.trickle.stamping import stamped, verify_commit
from dbt.adapters.trickle.unreadable import unreadable
from dbt.adapters.trickle.warehouse import Warehouse
from trickle import DATA_KINDS, Action, InternalError, Reason, StateError, TrickleError, reason

if TYPE_CHECKING:
    from dbt.adapters.spark.impl import SparkAdapter as MixedInto

    from dbt.adapters.trickle.connections import TrickleConnectionManager
else:
    MixedInto = object

logger = AdapterLogger("Trickle")
PARTITION_OVERWRITE = "spark.sql.sources.partitionOverwriteMode"
DATA_KIND_NAMES = frozenset(kind.value for kind in DATA_KINDS)


class StreamTableMethods(MixedInto, metaclass=AdapterMeta):
    """Mixed into the adapter; everything here delegates."""

    connections: TrickleConnectionManager

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
        asked = Asked(
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
            storage_elsewhere=bool(location_root) and DeltaLog(self._managed_path(*_key(storage))).exists,
        )
        log = self._storage_log(relation, location_root)
        with engine_errors(log):
            decision = decide(asked, self._warehouse(invocation), log, self._analyst())
        refresh = Refresh(decision, started=started)
        say = logger.info if _noteworthy(refresh.plan.action) else logger.debug
        say(f"{relation.identifier}: {refresh.headline}")
        return refresh

    @available.parse(lambda *_, **__: None)
    def trickle_execute(self, refresh: Refresh, kind: str, why: str, sql: str) -> None:
        """Run one statement of a refresh; a data statement carries the stamp into its commit."""
        started = time.monotonic()
        if kind in DATA_KIND_NAMES:
            try:
                self._commit(refresh, sql)
            except DbtRuntimeError as failure:
                if not refresh.goes_another_way(failure):
                    raise
                logger.info(f"{refresh.decision.relation.identifier}: {refresh.headline}")
                (statement,) = refresh.data_statements
                refresh.announce(statement.why, statement.sql)
                self._commit(refresh, statement.sql)
            verify_commit(refresh)
        else:
            self.execute(sql)
        refresh.executed.append(ExecutedStatement(kind, why, round(time.monotonic() - started, 3)))

    def _commit(self, refresh: Refresh, sql: str) -> None:
        session = self._session()
        with (
            computed_first(session, refresh.parts),
            stamped(session, refresh.decision.stamp),
            planned_once(session, refresh.one_task),
        ):
            self.execute(sql)

    @available.parse(lambda *_, **__: None)
    def trickle_response(self, refresh: Refresh) -> StreamTableResponse:
        """What the refresh did, for the console and run_results; what it stands for, for models downstream."""
        response = responded(refresh)
        if response.storage_version is not None:
            decision = refresh.decision
            stood = decision.reading.stood(response.storage_version, decision.probes)
            INVOCATIONS.of(decision.invocation).refreshed(".".join(_key(decision.relation)), stood)
        return response

    @available.parse(lambda *_, **__: None)
    def trickle_storage(self, relation: TrickleRelation) -> TrickleRelation | None:
        """The storage behind a relation's name, if there is any: where it usually lies, or where dbt has seen it."""
        storage = self._storage_relation(relation)
        if DeltaLog(self._managed_path(*_key(storage))).exists:
            return storage
        seen = self.get_relation(storage.database or "", str(storage.schema), str(storage.identifier))
        return storage if seen is not None else None

    @available.parse(lambda *_, **__: False)
    def trickle_is_standing(self, relation: TrickleRelation) -> bool:
        """Whether the name is a stream table's and is not just being given to something else."""
        if self.trickle_storage(relation) is None:
            return False
        state = read_state(self._storage_log(relation))
        return FACADE in state.properties and RETIRED not in state.properties

    @available.parse(lambda *_, **__: "")
    def trickle_exact_check(self, relation: TrickleRelation) -> str:
        """SQL that returns the rows in which a stream table differs from its SELECT."""
        storage, log = _key(self._storage_relation(relation)), self._storage_log(relation)
        with engine_errors(log):
            self._hold_to_stamp(log)
            return exact_check(_key(relation), storage, log, self._warehouse(), self._analyst())

    @available.parse(lambda *_, **__: "")
    def trickle_state_check(self, relation: TrickleRelation) -> str:
        """SQL that returns the stored rows whose hidden state cannot be right."""
        storage, log = _key(self._storage_relation(relation)), self._storage_log(relation)
        with engine_errors(log):
            self._hold_to_stamp(log)
            return state_check(_key(relation), storage, log, self._warehouse(), self._analyst())

    def _hold_to_profile(self) -> tuple[Reason, ...]:
        """Undo what a hook or an `insert_overwrite` model has SET on this connection and results depend on."""
        session = self._session()
        put_back = hold(session, of_profile(self.connections.trickle_credentials))
        session.set_conf(PARTITION_OVERWRITE, "static")
        return (reason("setting_restored", what=", ".join(put_back)),) if put_back else ()

    def _hold_to_stamp(self, log: DeltaLog) -> None:
        """A check computes rows as the refresh did, also when the profile has changed since."""
        stamped = last_stamp(log)
        if stamped is not None:
            hold(self._session(), of_stamp(self.connections.trickle_credentials, stamped.stamp))

    def _session(self) -> EmbeddedSession:
        handle = self.connections.get_thread_connection().handle
        assert isinstance(handle, EmbeddedSession)
        return handle

    def _warehouse(self, invocation: str | None = None) -> Warehouse:
        known = INVOCATIONS.of(invocation) if invocation is not None else None
        settings = OwnSettings(lambda: self._session().spark)
        return Warehouse(self._managed_path, self._ask, START_SCHEMA, known, settings)

    def _managed_path(self, schema: str, identifier: str) -> Path:
        return table_path(self.connections.trickle_credentials, schema, identifier)

    def _ask(self, sql: str) -> Sequence[tuple[Any, ...]]:
        with self.connections.exception_handler(sql):
            return self._session().rows(sql)

    def _analyst(self) -> SparkAnalyst:
        return SparkAnalyst(self._session(), self.connections.exception_handler)

    def _storage_relation(self, relation: TrickleRelation) -> TrickleRelation:
        path = {"identifier": storage_name(str(relation.identifier))}
        storage = relation.incorporate(path=path, type="table")  # type: ignore[no-untyped-call]
        assert isinstance(storage, TrickleRelation)
        return storage

    def _storage_log(self, relation: TrickleRelation, location_root: str | None = None) -> DeltaLog:
        identifier = storage_name(str(relation.identifier))
        if location_root:
            return DeltaLog(Path(location_root.removeprefix("file:")) / identifier)
        return self._warehouse().log((str(relation.schema), identifier))


def _noteworthy(action: Action) -> bool:
    return action in (Action.FULL, Action.REINITIALIZE)


def _key(relation: TrickleRelation) -> tuple[str, str]:
    return str(relation.schema).lower(), str(relation.identifier).lower()


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
