"""One statement and its result, in the shape dbt's SQL layer expects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from dbt.adapters.trickle.ports import Outcome
from dbt.adapters.trickle.warehouses.embedded.literals import bind
from dbt.adapters.trickle.warehouses.embedded.rows import local_rows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row

    from dbt.adapters.trickle.warehouses.embedded.session import EmbeddedSession

Description = list[tuple[str, Any, int | None, int | None, int | None, int | None, bool]]

AFFECTED = "num_affected_rows"


class EmbeddedCursor:
    def __init__(self, session: EmbeddedSession) -> None:
        self._session = session
        self._frame: DataFrame | None = None
        self._rows: Iterator[Row] | None = None

    def execute(self, sql: str, bindings: Sequence[Any] | None = None) -> None:
        """Run a command, or analyse a query: its rows are computed when fetched or by `finish`."""
        self._rows = None
        self._frame = self._session.submit(bind(sql, bindings) if bindings is not None else sql)

    def finish(self) -> None:
        """Compute a query nobody will fetch: hooks select for the side effect, and Spark is lazy."""
        if self._frame is not None and not self._frame.isLocal():
            with self._session.statement():
                for _ in self._frame.toLocalIterator():
                    pass

    def outcome(self) -> Outcome:
        """The metrics of the command just run, if it is one that has some."""
        if self._frame is None or AFFECTED not in self._frame.columns or not self._frame.isLocal():
            return Outcome({})
        metrics = self._frame.collect()[0].asDict()
        return Outcome({name: int(value) for name, value in metrics.items() if value is not None})

    @property
    def frame(self) -> DataFrame | None:
        return self._frame

    @property
    def description(self) -> Description:
        if self._frame is None:
            return []
        return [
            (field.name, field.dataType.simpleString(), None, None, None, None, field.nullable)
            for field in self._frame.schema.fields
        ]

    def fetchall(self) -> list[Row]:
        return list(self._result(None))

    def fetchmany(self, size: int) -> list[Row]:
        return list(islice(self._result(size), size))

    def fetchone(self) -> Row | None:
        return next(self._result(None), None)

    def close(self) -> None:
        self._frame = None
        self._rows = None

    def _result(self, limit: int | None) -> Iterator[Row]:
        if self._rows is None:
            self._rows = iter(self._collect(limit))
        return self._rows

    def _collect(self, limit: int | None) -> list[Row]:
        if self._frame is None:
            return []
        with self._session.statement():
            collected = self._frame.collect() if limit is None else self._frame.take(limit)
            return local_rows(collected, self._frame.schema, self._session.time_zone)
