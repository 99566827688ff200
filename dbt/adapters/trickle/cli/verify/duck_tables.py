"""Tables with versions in DuckDB: every commit stores a copy of the table's rows and entries in a change feed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Optional

import duckdb
from sqlglot import exp

from dbt.adapters.trickle.cli.refusal import Refusal
from dbt.adapters.trickle.cli.verify.duck_bookkeeping import (
    changes_between,
    feed_difference,
    feed_update,
    keep_version,
    new_feed,
    rows,
    table,
)
from dbt.adapters.trickle.cli.verify.duck_dialect import duck_tree, version_table
from dbt.adapters.trickle.cli.verify.duck_refresh import Translation, translation, translation_of
from dbt.adapters.trickle.cli.verify.statistics import EVERYTHING_PAYS, ranges_of
from trickle import Happened, Probe, SourcePosition
from trickle.catalog.change_sources import FeedRange
from trickle.catalog.changed_rows import Changes
from trickle.catalog.happened import Appended, Changed, First, MaintenanceOnly, Overwritten, Unchanged
from trickle.catalog.probe import TableSize, Volume


class Commit(Enum):
    """The kind of a commit, as in a Delta log."""

    APPEND = "append"
    CHANGE = "change"
    MAINTENANCE = "maintenance"
    RESTORE = "restore"
    """Other rows under the same definition: the feed has them."""
    REPLACE = "replace"
    """Another definition: the feed starts again."""


@dataclass
class History:
    """The commits of one table; the index in the list is the version."""

    name: str
    commits: list[Commit] = field(default_factory=list)

    @property
    def version(self) -> int:
        return len(self.commits) - 1

    def position(self) -> SourcePosition:
        return SourcePosition(self.name, self.version, self.version * 1000)

    def probe(self, source: str, before: Optional[SourcePosition]) -> Probe:
        """The probe that a Delta log with these commits would give."""
        happened = First() if before is None else self._happened(before)
        volume = Volume(added=10) if isinstance(happened, (Appended, Changed)) else Volume()
        return Probe(source, self.position(), happened, TableSize(rows=100), volume)

    def _happened(self, before: SourcePosition) -> Happened:
        since = self.commits[before.version + 1 :]
        detail = f"version {self.version}"
        changes = Changes(before, FeedRange(before.version + 1, self.version))
        if not since:
            return Unchanged()
        if Commit.REPLACE in since or Commit.RESTORE in since:
            return Overwritten(None if Commit.REPLACE in since else changes, detail)
        if Commit.CHANGE in since:
            return Changed(changes, detail)
        return Appended(changes, detail) if Commit.APPEND in since else MaintenanceOnly(detail)


class VersionedTables:
    """The tables of one schema and their histories."""

    def __init__(self, database: duckdb.DuckDBPyConnection, schema: str) -> None:
        self._database = database
        self._schema = schema
        self.histories: dict[str, History] = {}

    def probe(self, name: str, source: str, before: Optional[SourcePosition]) -> Probe:
        """The probe of a table, with the narrowest statistics of the change."""
        history = self.histories[name]
        probe = history.probe(source, before)
        if before is None or not isinstance(probe.happened, (Appended, Changed)):
            return replace(probe, statistics=EVERYTHING_PAYS)
        feed_readable = self._database.execute(changes_between(self._schema, name, before.version + 1, history.version))
        names = [column[0] for column in feed_readable.description or ()]
        changed = {column: ranges_of(values) for column, values in zip(names, zip(*feed_readable.fetchall()))}
        known = {column: ranges for column, ranges in changed.items() if ranges is not None}
        return replace(probe, statistics=replace(EVERYTHING_PAYS, changed=known))

    def created(self, name: str) -> None:
        """Record the first version of a table that was created or replaced outside of a refresh."""
        name = name.lower()
        history = self.histories.setdefault(name, History(name))
        history.commits.append(Commit.REPLACE if history.commits else Commit.APPEND)
        self._keep_version(history)
        self._database.execute(new_feed(self._schema, name))

    def change(self, name: str, kind: Commit, statement: exp.Expr) -> None:
        """Run a user's statement. Its tree is modified."""
        history = self._history(name)
        version = history.version + 1
        where = statement.args.get("where") if isinstance(statement, exp.Update) else None
        condition = duck_tree(where.this.copy()) if where is not None else exp.true()
        self._run(translation_of(statement))
        if isinstance(statement, exp.Update):
            self._record(history, kind, feed_update(self._schema, name, version, condition))
        else:
            self._record(history, kind, feed_difference(self._schema, name, version))

    def refresh(self, name: str, kind: Optional[Commit], spark_sql: str) -> None:
        """Run a refresh's statement; without a kind no version is recorded, because no other stream table reads it."""
        self._run(translation(spark_sql))
        if kind is not None:
            history = self.histories[name]
            self._record(history, kind, feed_difference(self._schema, name, history.version + 1))

    def maintained(self, name: str) -> None:
        """Record OPTIMIZE or VACUUM: a version with the same rows."""
        self._record(self._history(name), Commit.MAINTENANCE, ())

    def restore_statement(self, name: str, version: int) -> exp.Expr:
        old = rows(self._schema, version_table(name, version))
        return exp.Insert(this=table(self._schema, name), expression=old, overwrite=True)

    def _history(self, name: str) -> History:
        if name not in self.histories:
            raise Refusal(f"there is no table {name}; there are {', '.join(sorted(self.histories))}")
        return self.histories[name]

    def _run(self, translated: Translation) -> None:
        for statement in translated.statements:
            self._database.execute(statement)
        guard = translated.must_be_empty
        if guard is not None and self._database.execute(guard).fetchone() is not None:
            raise duckdb.InvalidInputException("the change removes rows that are not stored")

    def _record(self, history: History, kind: Commit, entries: Sequence[str]) -> None:
        history.commits.append(kind)
        self._keep_version(history)
        for entry in entries:
            self._database.execute(entry)

    def _keep_version(self, history: History) -> None:
        self._database.execute(keep_version(self._schema, history.name, history.version))
