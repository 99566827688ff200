"""A ring over any session of Spark: Delta tables with their feeds on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Optional

from dbt_common.exceptions import DbtBaseException
from pyspark.sql.types import VariantVal
from sqlglot import exp

from dbt.adapters.trickle.cli.verify.ring import RingCannot, Row
from dbt.adapters.trickle.cli.verify.statistics import EVERYTHING_PAYS
from dbt.adapters.trickle.history.delta_files import StampedCommit, last_stamp, probe
from dbt.adapters.trickle.history.delta_files import column_statistics as statistics
from dbt.adapters.trickle.history.delta_files.readable_files import readable_files
from dbt.adapters.trickle.history.table_history import TableHistory
from dbt.adapters.trickle.ports import Session, StatementFailed
from dbt.adapters.trickle.refreshing.execute import execute
from trickle import (
    Action,
    Column,
    Failure,
    InvalidView,
    Name,
    Probe,
    RefreshPlan,
    SourcePosition,
    StateError,
    output_schema,
)
from trickle.apply.steps import DataStep
from trickle.catalog.source_files import SourceFiles
from trickle.plan.ranges import ColumnStatistics
from trickle.reasons import reason
from trickle.sql.build import alias, cast, column, identifier, table, verbatim
from trickle.sql.text import to_text
from trickle.types import normal


def _comparable(value: Any) -> Any:
    """PySpark's variants equal nothing, not even themselves: their JSON is compared instead, at any depth."""
    match value:
        case VariantVal():
            return ("variant", value.toJson())
        case tuple():
            return tuple(_comparable(item) for item in value)
        case list():
            return [_comparable(item) for item in value]
        case dict():
            return {key: _comparable(item) for key, item in value.items()}
        case _:
            return value


@dataclass(frozen=True)
class ScenarioRefresh:
    """A plan as the ring runs it: its failures are judged by the scenario."""

    plan: RefreshPlan
    log: Callable[[], TableHistory]

    def verify(self) -> StampedCommit | None:
        if self.plan.stamp is None:
            return None
        stamped = last_stamp(self.log())
        if stamped is None or stamped.stamp != self.plan.stamp:
            raise StateError("the commit of a refresh does not carry its stamp")
        return stamped

    def instead(self, failure: Failure) -> ScenarioRefresh | None:
        return None


def _unstamped(data: Sequence[DataStep]) -> RefreshPlan:
    """Steps that are tried and undone."""
    return RefreshPlan(Action.INCREMENTAL, reason("forced_incremental"), "tried", tuple(data))


class SessionRing:
    """One session a process, one schema a scenario."""

    name = "spark"
    errors: tuple[type[Exception], ...] = (StatementFailed, DbtBaseException)
    breakdowns: tuple[type[Exception], ...] = ()
    exhaustions: tuple[type[Exception], ...] = ()
    merges_in_place = False

    def __init__(self, session: Session) -> None:
        self._session = session
        self._numbers = count(1)
        self._schema = ""

    def history(self, schema: str, table: str) -> TableHistory:
        """The history of a table of a scenario, as it is by now."""
        raise NotImplementedError

    def begin(self) -> str:
        self._schema = f"scenario_{next(self._numbers)}"
        self._run(exp.Create(this=exp.Table(db=identifier(self._schema)), kind="SCHEMA"))
        self._run(exp.Use(this=exp.Table(this=identifier(self._schema))))
        return self._schema

    def end(self) -> None:
        self._run(exp.Use(this=exp.Table(this=identifier("default"))))
        self._run(exp.Drop(tables=[exp.Table(db=identifier(self._schema))], kind="SCHEMA", cascade=True))

    def create_table(self, name: str, columns: Sequence[Column], rows: Sequence[str]) -> None:
        if not rows:
            parts = [
                exp.ColumnDef(this=identifier(given.name), kind=exp.DataType.build(given.type, dialect="spark"))
                for given in columns
            ]
            self._create(exp.Schema(this=self._table(name), expressions=parts), None)
            return
        typed = [alias(cast(column(f"col{number}"), given.type), given.name) for number, given in enumerate(columns, 1)]
        values = exp.Subquery(this=verbatim("VALUES " + ", ".join(rows)))
        self._create(self._table(name), exp.Select(expressions=typed).from_(values, copy=False))

    def change(self, statement: str) -> None:
        self._session.rows(statement)

    def probe(self, physical: Name, source: str, before: Optional[SourcePosition]) -> Probe:
        history = self._log(physical)
        probed = probe(history, source, before)
        known = statistics(history, probed, 0)
        # Without bytes, so that they are no reason to read anything.
        files = (replace(file, bytes=0) for file in known.files)
        spread = ColumnStatistics(known.changed, (*EVERYTHING_PAYS.files, *files))
        by_files = readable_files(history, probed) if self._session.capabilities.reads_files else SourceFiles()
        return replace(probed, statistics=spread, files=by_files)

    def commit(self, storage: Name, facade: Name, plan: RefreshPlan, read_on: bool) -> None:
        execute(ScenarioRefresh(plan, lambda: self._log(storage)), self._session)

    def attempt(self, storage: Name, data: Sequence[DataStep], query: str) -> list[Row]:
        version = self._log(storage).latest
        execute(ScenarioRefresh(_unstamped(data), lambda: self._log(storage)), self._session)
        try:
            return self.rows(query)
        finally:
            name = to_text(table(storage))
            self._session.run(to_text(verbatim(" ".join(["RESTORE TABLE", name, "TO VERSION AS OF", str(version)]))))

    def rows(self, query: str) -> list[Row]:
        return [tuple(_comparable(value) for value in row) for row in self._session.rows(query)]

    def values(self, rows: Sequence[str]) -> list[Row]:
        return self.rows("VALUES " + ", ".join(rows)) if rows else []

    def columns_of(self, query: str) -> list[tuple[str, str]]:
        try:
            described = self._session.columns(query)
        except self.errors as error:
            raise RingCannot(self.sentence(error)) from error
        try:
            # Each by itself: here, columns of the same name are given others.
            for described_column in described:
                output_schema([described_column])
        except InvalidView as refusal:
            raise RingCannot(str(refusal)) from refusal
        return [(name, normal(kind)) for name, kind in described]

    def failure(self, error: Exception) -> Failure:
        return error.failure if isinstance(error, StatementFailed) else Failure("", "", str(error))

    def sentence(self, error: Exception) -> str:
        message = error.failure.message if isinstance(error, StatementFailed) else str(error)
        return message.strip().split("\n")[0]

    def _create(self, target: exp.Expr, query: Optional[exp.Expr]) -> None:
        delta = exp.Properties(expressions=[exp.FileFormatProperty(this=exp.Var(this="DELTA"))])
        self._run(exp.Create(this=target, kind="TABLE", replace=True, properties=delta, expression=query))

    def _run(self, tree: exp.Expr) -> None:
        self._session.run(to_text(tree, pretty=False))

    def _table(self, name: str) -> exp.Table:
        return table((self._schema, name))

    def _log(self, physical: Name) -> TableHistory:
        return self.history(physical[-2] if len(physical) > 1 else self._schema, physical[-1])
