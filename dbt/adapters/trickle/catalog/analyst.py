"""Asking Spark what a query means, without running it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from dbt.adapters.trickle.ports import StatementFailed
from dbt.adapters.trickle.warehouses.embedded.objects import START_SCHEMA, OwnObjects
from dbt.adapters.trickle.warehouses.embedded.session import EmbeddedSession
from trickle import InvalidView

_NUMBER = re.compile(
    r"(?<=#)\d+|(?<=\bCTERelationDef )\d+|(?<=\bCTERelationRef )\d+|(?<=\bUnionLoop )\d+|(?<=\bUnionLoopRef )\d+"
)
"""What Spark numbers through a session: columns, CTEs and recursions."""
_DATE = re.compile(r"cast\((\d{4}-\d\d-\d\d) as date\)")
_ANALYZED, _OPTIMIZED = "== Analyzed Logical Plan ==", "== Optimized Logical Plan =="
_PHYSICAL = "== Physical Plan =="
"""The headings of what EXPLAIN EXTENDED answers. Where planning fails, it answers why, without them."""
_VARIABLE = re.compile(r"\$\{(?:\w+?:)?\S+?\}")
_SUBSTITUTE = "spark.sql.variable.substitute"
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
            return self._session.columns(sql)

    def can_read(self, sql: str) -> bool:
        """Whether it is one query to Spark. Nothing is run, whatever statement it is."""
        try:
            self._session.rows(f"DESCRIBE QUERY {sql}")
        except StatementFailed:
            return False
        return True

    def same_meaning(self, text: str, other: str) -> bool:
        """Whether Spark plans both alike. A text that it cannot analyse means the same as no other."""
        try:
            return any(mine == its for mine, its in zip(self._plans(text), self._plans(other)))
        except StatementFailed:
            return False

    def only_here(self, sql: str) -> str:
        """What only this session has and a text depends on, as the end of a sentence; empty where there is nothing.

        Where this session has objects of its own, the text is also analysed in another session and the plans compared.
        """
        substituted = _VARIABLE.search(sql)
        if substituted is not None and self._session.settings().get(_SUBSTITUTE, "true") == "true":
            return f"holds {substituted.group()}, in whose place Spark puts a setting of the session"
        own = self._session.own_objects()
        if own.none:
            return ""
        try:
            here = self._plans(sql)
        except (StatementFailed, InvalidView):
            # Compiling it reports the error.
            return ""
        elsewhere = SparkAnalyst(self._session.another(), self._failures)
        try:
            there = elsewhere._plans(sql)
        except StatementFailed as failed:
            return _dependency(own, sql, failed.failure.first("UNRESOLVED_COLUMN") is not None)
        except InvalidView:
            return _dependency(own, sql)
        return "" if any(mine == its for mine, its in zip(here, there)) else _dependency(own, sql)

    def _plans(self, sql: str) -> tuple[str, str]:
        """The analysed and the optimized plan as texts, under column names that do not depend on how it was written.

        Either may differ for the same query: optimizing numbers several DISTINCT aggregates in any order, and what
        is analysed tells a date literal from the same text cast to DATE. x IS NOT NULL is printed as NOT x IS NULL; a
        comma as CROSS JOIN: Spark plans both alike, conditions included, and only remembers the word.
        """
        self._session.set({"spark.sql.debug.maxToStringFields": "100000"})
        names = ", ".join(f"c{index}" for index in range(len(self._session.columns(sql))))
        texts = [str(text) for (text,) in self._session.rows(f"EXPLAIN EXTENDED SELECT * FROM ({sql}\n) AS q({names})")]
        if _ANALYZED not in texts[0]:
            raise InvalidView(f"Spark reads this query but fails to plan it: {' '.join(texts[1:])[:300]}")
        plans = _CROSS.sub("Join Inner", texts[0]).replace("NOT isnull(", "isnotnull(")
        _, _, plans = plans.partition(_ANALYZED)
        analysed, _, plans = plans.partition(_OPTIMIZED)
        optimized, _, _ = plans.partition(_PHYSICAL)
        return _renumbered(_DATE.sub(r"\1", analysed)), _renumbered(optimized)


def _renumbered(plan: str) -> str:
    """The same plan with its columns and CTEs numbered in the order in which they are named."""
    numbers: dict[str, int] = {}
    return _NUMBER.sub(lambda number: str(numbers.setdefault(number[0], len(numbers))), plan)


def _dependency(own: OwnObjects, sql: str, lacks_a_column: bool = False) -> str:
    """Which of a session's own objects a text names, by its words and by whether another session lacks a column."""
    words = set(re.findall(r"\w+", sql.lower()))
    dependencies = [f"the temporary view {name}" for name in sorted(own.views & words)]
    dependencies += [f"the temporary function {name}" for name in sorted(own.functions & words)]
    is_variable = own.has_variables and lacks_a_column
    if not dependencies and own.schema != START_SCHEMA and not is_variable:
        dependencies.append(f"the current schema {own.schema}, by names without a schema")
    if not dependencies:
        dependencies.append("a session variable")
    return f"rests on {dependencies[0]}, which only this connection has"
