"""A connection's session as a refresh uses it: with what dbt puts around every statement."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from dbt.adapters.events.types import SQLQuery, SQLQueryStatus
from dbt_common.events.contextvars import get_node_info
from dbt_common.events.functions import fire_event

from dbt.adapters.trickle.ports import Capabilities, Outcome, Row, Session, Versions
from trickle.catalog.source_files import DataFiles

if TYPE_CHECKING:
    from dbt.adapters.trickle.connections import TrickleConnectionManager


class StatementSession:
    """Statements carry dbt's query comment, and dbt's log holds them. All else is the session's own."""

    def __init__(self, session: Session, connections: TrickleConnectionManager) -> None:
        self._session = session
        self._connections = connections
        self.capabilities: Capabilities = session.capabilities

    def run(self, sql: str) -> Outcome:
        text = self._connections.commented(sql)
        name = str(self._connections.get_thread_connection().name or "")
        fire_event(SQLQuery(conn_name=name, sql=text, node_info=get_node_info()))
        started = time.perf_counter()
        outcome = self._session.run(text)
        elapsed = round(time.perf_counter() - started, 3)
        fire_event(SQLQueryStatus(status="OK", elapsed=elapsed, node_info=get_node_info()))
        return outcome

    def rows(self, sql: str) -> Sequence[Row]:
        return self._session.rows(sql)

    def columns(self, sql: str) -> Sequence[tuple[str, str]]:
        return self._session.columns(sql)

    def settings(self) -> Mapping[str, str]:
        return self._session.settings()

    def with_settings(self, values: Mapping[str, str | None]) -> AbstractContextManager[None]:
        return self._session.with_settings(values)

    def set(self, values: Mapping[str, str | None]) -> None:
        self._session.set(values)

    def compute(self, name: str, sql: str) -> None:
        self._session.compute(name, sql)

    def name_files(self, name: str, files: DataFiles) -> None:
        self._session.name_files(name, files)

    def forget(self, name: str) -> None:
        self._session.forget(name)

    def another(self) -> Session:
        return self._session.another()

    def versions(self) -> Versions:
        return self._session.versions()

    def cancel(self) -> None:
        self._session.cancel()

    def close(self) -> None:
        self._session.close()


_IS_A_SESSION: type[Session] = StatementSession
