"""The DuckDB ring: Spark's statements are translated, Delta's versions and feeds are plain tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Optional

import duckdb
from sqlglot import exp
from sqlglot.errors import SqlglotError
from typing_extensions import assert_never

from dbt.adapters.trickle.cli.verify.duck_dialect import DUCKDB, MACROS, duck_tree, translated
from dbt.adapters.trickle.cli.verify.duck_statements import kind_of, restored, target_of
from dbt.adapters.trickle.cli.verify.duck_tables import Commit, VersionedTables
from dbt.adapters.trickle.cli.verify.ring import RingCannot, Row
from trickle import Column, Failure, Name, Probe, RefreshPlan, SourcePosition
from trickle.apply.steps import (
    Cluster,
    Constrain,
    Create,
    DataStep,
    Drop,
    Kind,
    NameFiles,
    PinView,
    PutView,
    SetProperties,
    Stage,
    Write,
)
from trickle.errors import InternalError, InvalidView
from trickle.planning.fallback import USER_RAISED
from trickle.sql.build import identifier, table
from trickle.sql.statement import parse_statement
from trickle.sql.text import translate
from trickle.types import normal

SCHEMA = "scenario"
"""The schema of every scenario, one after the other, so that the cached statements for versions are the same, too."""


_RAISED = duckdb.InvalidInputException

FAULTY_OPTIMIZER = "statistics_propagation"
"""An optimizer of DuckDB 2.0 that turns a sum over a LEFT JOIN with an empty table into 0."""


class DuckRing:
    """One in-memory database per process."""

    name = "duckdb"
    errors: tuple[type[Exception], ...] = (duckdb.Error, SqlglotError)
    breakdowns: tuple[type[Exception], ...] = (duckdb.InternalException, duckdb.FatalException)
    exhaustions: tuple[type[Exception], ...] = (duckdb.OutOfMemoryException,)
    merges_in_place = True

    def __init__(self) -> None:
        self._open()

    def _open(self) -> None:
        self._database = duckdb.connect(":memory:", config={"threads": 1, "disabled_optimizers": FAULTY_OPTIMIZER})
        for macro in MACROS:
            self._database.execute(macro)
        self._tables = VersionedTables(self._database, SCHEMA)

    def begin(self) -> str:
        self._run(exp.Create(this=exp.Table(db=identifier(SCHEMA)), kind="SCHEMA"))
        self._database.execute("SET search_path = ?", [SCHEMA])
        self._tables = VersionedTables(self._database, SCHEMA)
        return SCHEMA

    def end(self) -> None:
        try:
            self._database.execute("SET search_path = 'main'")
        except duckdb.FatalException:
            # After a fatal error DuckDB refuses every statement.
            self._open()
            return
        self._run(exp.Drop(tables=[exp.Table(db=identifier(SCHEMA))], kind="SCHEMA", cascade=True))

    def create_table(self, name: str, columns: Sequence[Column], rows: Sequence[str]) -> None:
        definitions = [
            exp.ColumnDef(this=identifier(column.name), kind=exp.DataType.build(column.type, dialect="spark"))
            for column in columns
        ]
        schema = exp.Schema(this=self._table(name), expressions=definitions)
        self._run(exp.Create(this=schema, kind="TABLE"))
        if rows:
            inserted = exp.Insert(this=self._table(name), expression=parse_statement("VALUES " + ", ".join(rows)))
            self._run(inserted)
        self._tables.created(name)

    def change(self, statement: str) -> None:
        restore = restored(statement)
        if restore is not None:
            name, version = restore
            self._tables.change(name, Commit.RESTORE, self._tables.restore_statement(name, version))
            return
        tree = parse_statement(statement)
        name, kind = target_of(tree, statement), kind_of(tree)
        if kind is Commit.MAINTENANCE:
            self._tables.maintained(name)
        elif isinstance(tree, exp.Create):
            self._run(tree)
            self._tables.created(name)
        else:
            self._tables.change(name, kind, tree)

    def probe(self, physical: Name, source: str, before: Optional[SourcePosition]) -> Probe:
        return self._tables.probe(physical[-1].lower(), source, before)

    def commit(self, storage: Name, facade: Name, plan: RefreshPlan, read_on: bool) -> None:
        for step in plan.steps:
            match step:
                case Create():
                    tree = parse_statement(step.query)
                    self._run(exp.Create(this=table(storage), kind="TABLE", replace=True, expression=tree))
                    if read_on:
                        self._tables.created(storage[-1])
                case PutView():
                    tree = parse_statement(step.query)
                    self._run(exp.Create(this=table(facade), kind="VIEW", replace=True, expression=tree))
                case Stage() | Write():
                    commit = Commit.APPEND if isinstance(step, Write) and step.form is Kind.APPEND else Commit.CHANGE
                    self._take(step, storage, commit if read_on else None)
                case Cluster() | Constrain() | Drop() | NameFiles() | PinView() | SetProperties():
                    raise InternalError(f"a scenario's plan has a step of {type(step).__name__}")
                case _:
                    assert_never(step)

    def attempt(self, storage: Name, data: Sequence[DataStep], query: str) -> list[Row]:
        self._database.execute("BEGIN")
        try:
            for step in data:
                if isinstance(step, NameFiles):
                    raise InternalError("a scenario's tables have no files here")
                self._take(step, storage, None)
            return self.rows(query)
        finally:
            self._database.execute("ROLLBACK")

    def rows(self, query: str) -> list[Row]:
        return self._database.execute(translated(query)).fetchall()

    def values(self, rows: Sequence[str]) -> list[Row]:
        return self.rows("VALUES " + ", ".join(rows)) if rows else []

    def sentence(self, error: Exception) -> str:
        return first_line(error)

    def columns_of(self, query: str) -> list[tuple[str, str]]:
        try:
            described = self._database.execute("DESCRIBE " + translated(query)).fetchall()
        except (duckdb.Error, SqlglotError, InvalidView) as error:
            raise RingCannot(first_line(error)) from error
        return [(row[0], _spark_type(row[1])) for row in described]

    def failure(self, error: Exception) -> Failure:
        """DuckDB has no conditions: RAISE_ERROR, which is its `error`, is known by its class and its beginning."""
        raised = first_line(error).partition("Invalid Input Error: ")[2] if isinstance(error, _RAISED) else ""
        return Failure(USER_RAISED if raised else "", "", first_line(error), {"errorMessage": raised})

    def _take(self, step: Stage | Write, storage: Name, commit: Optional[Commit]) -> None:
        """A stage is a table of its own name; the next one of that name takes its place."""
        if isinstance(step, Write):
            self._tables.refresh(storage[-1].lower(), commit, step.sql)
            return
        temporary = exp.Properties(expressions=[exp.TemporaryProperty()])
        here = exp.Table(this=identifier(step.name))
        query = parse_statement(step.query)
        self._run(exp.Create(this=here, kind="TABLE", replace=True, properties=temporary, expression=query))

    def _run(self, tree: exp.Expr) -> None:
        self._database.execute(translate(duck_tree(tree), DUCKDB))

    def _table(self, name: str) -> exp.Table:
        return exp.Table(this=identifier(name), db=identifier(SCHEMA))


def first_line(error: Exception) -> str:
    """The database's error message without the query that it repeats."""
    return " ".join(str(error).split("\n\n")[0].split())


def _spark_type(duck_type: str) -> str:
    if duck_type == "HUGEINT":
        return "bigint"
    return normal(exp.DataType.build(duck_type, dialect=DUCKDB).sql(dialect="spark"))
