"""Asking Spark what a query means, without running it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from dbt.adapters.trickle.embedded.session import EmbeddedSession
from trickle import InvalidView

_NUMBER = re.compile(
    r"(?<=#)\d+|(?<=\bCTERelationDef )\d+|(?<=\bCTERelationRef )\d+|(?<=\bUnionLoop )\d+|(?<=\bUnionLoopRef )\d+"
)
"""What Spark numbers through a session: columns, CTEs and recursions."""
_DATE = re.compile(r"cast\((\d{4}-\d\d-\d\d) as date\)")
_FAILED = "Error occurred during query planning"
"""EXPLAIN fails by telling so, in rows of its own."""
_CROSS = re.compile(r"\bJoin Cross\b")


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

    def can_read(self, sql: str) -> bool:
        """Whether it is one query to Spark. Nothing is run, whatever statement it is."""
        from pyspark.errors import PySparkException

        try:
            self._session.rows(f"DESCRIBE QUERY {sql}")
        except PySparkException:
            return False
        return True

    def same_meaning(self, one: str, other: str) -> bool:
        """What Spark cannot even analyse does not mean the same as what it can."""
        # PySpark takes a quarter of a second to import, which commands that never ask Spark need not spend.
        from pyspark.errors import PySparkException

        try:
            return any(mine == its for mine, its in zip(self._plans(one), self._plans(other)))
        except PySparkException:
            return False

    def _plans(self, sql: str) -> tuple[str, str]:
        """The analysed and the optimized plan as texts, under column names that do not depend on how it was written.

        Either may differ for the same query: optimizing numbers several DISTINCT aggregates in any order, and what
        is analysed tells a date literal from the same text cast to DATE. x IS NOT NULL is printed as NOT x IS NULL; a
        comma as CROSS JOIN: Spark plans both alike, conditions included, and only remembers the word.
        """
        self._session.set_conf("spark.sql.debug.maxToStringFields", "100000")
        names = ", ".join(f"c{place}" for place in range(len(self._session.schema_of(sql))))
        told = [str(text) for (text,) in self._session.rows(f"EXPLAIN EXTENDED SELECT * FROM ({sql}\n) AS q({names})")]
        if _FAILED in told[0]:
            raise InvalidView(f"Spark reads this query but fails to plan it: {' '.join(told[1:])[:300]}")
        plans = _CROSS.sub("Join Inner", told[0]).replace("NOT isnull(", "isnotnull(")
        _, _, plans = plans.partition("== Analyzed Logical Plan ==")
        analysed, _, plans = plans.partition("== Optimized Logical Plan ==")
        optimized, _, _ = plans.partition("== Physical Plan ==")
        return _renumbered(_DATE.sub(r"\1", analysed)), _renumbered(optimized)


def _renumbered(plan: str) -> str:
    """The same plan with its columns and CTEs numbered in the order in which they are named."""
    numbers: dict[str, int] = {}
    return _NUMBER.sub(lambda found: str(numbers.setdefault(found[0], len(numbers))), plan)
