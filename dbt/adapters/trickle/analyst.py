"""Asking Spark what a query means, without running it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from dbt.adapters.trickle.embedded.session import EmbeddedSession


class SparkAnalyst:
    """Spark's analysis on this thread's own session; failures come out as dbt's."""

    def __init__(
        self,
        session: EmbeddedSession,
        failures: Callable[[str], AbstractContextManager[None]],
    ) -> None:
        self._session = session
        self._failures = failures

    def schema_of(self, sql: str) -> Sequence[tuple[str, str]]:
        with self._failures(sql):
            return self._session.schema_of(sql)

    def same_meaning(self, one: str, other: str) -> bool:
        """What Spark cannot even analyse does not mean the same as what it can."""
        # PySpark takes a quarter of a second to import, which commands that never ask Spark need not spend.
        from pyspark.errors import PySparkException

        try:
            return self._session.same_semantics(one, other)
        except PySparkException:
            return False
