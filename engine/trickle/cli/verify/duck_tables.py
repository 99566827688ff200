"""DuckDB with versions: every commit on a table leaves a copy of its rows and its entry in a change feed, as Delta's would."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Optional

import duckdb
from sqlglot import exp

from trickle import Happened, Probe, SourcePosition
from trickle.cli.verify.duck_dialect import DUCKDB, FEED_KIND, FEED_VERSION, duck_tree, feed_table, version_table
from trickle.cli.verify.duck_refresh import Translation, translation, translation_of
from trickle.sql.build import alias, identifier, integer, string, subquery
from trickle.sql.text import to_text


Changes = list[tuple[str, exp.Query]]
"""Entries of a feed: their kind and the query of their rows, to be asked once the change is made."""


class Commit(Enum):
    """What a commit did, as a Delta log would tell."""

    APPEND = "append"
    CHANGE = "change"
    MAINTENANCE = "maintenance"
    REPLACE = "replace"


@dataclass
class History:
    """The commits of one table; the place in the list is the version."""

    name: str
    commits: list[Commit] = field(default_factory=list)

    @property
    def version(self) -> int:
        return len(self.commits) - 1

    def position(self) -> SourcePosition:
        return SourcePosition(self.name, self.version, self.version * 1000)

    def probe(self, source: str, before: Optional[SourcePosition]) -> Probe:
        """The verdict of a log, without one."""
        now = self.position()
        since = self.commits[before.version + 1 :] if before is not None else []
        happened = _happened(since)
        changed = 10 if happened in (Happened.APPENDED, Happened.CHANGED) else 0
        return Probe(source, now, before, happened, f"version {now.version}", changed, 0, table_rows=100, feed=True)


def _happened(since: list[Commit]) -> Happened:
    if not since:
        return Happened.NOTHING
    if Commit.REPLACE in since:
        return Happened.REPLACED
    if Commit.CHANGE in since:
        return Happened.CHANGED
    return Happened.APPENDED if Commit.APPEND in since else Happened.MAINTENANCE


class VersionedTables:
    """The tables of one schema and their histories."""

    def __init__(self, database: duckdb.DuckDBPyConnection, schema: str) -> None:
        self._database = database
        self._schema = schema
        self.histories: dict[str, History] = {}

    def created(self, name: str) -> None:
        """A table was made, or made anew, by somebody else: keep its first version."""
        history = self.histories.setdefault(name, History(name))
        history.commits.append(Commit.REPLACE if history.commits else Commit.APPEND)
        self._keep_version(history)
        feed = exp.Select(
            expressions=[exp.Star(), alias(string(""), FEED_KIND), alias(integer(0), FEED_VERSION)]
        ).from_(self._table(name), copy=False)
        self._create(feed_table(name), feed.where(exp.false(), copy=False))

    def change(self, name: str, kind: Commit, statement: exp.Expr) -> None:
        """Run a user's statement, whose tree is taken over."""
        history = self.histories[name]
        before = history.version
        changes = self._changes(name, before, duck_tree(statement.copy()))
        self._run(translation_of(statement))
        self._remember(history, kind, changes)

    def refresh(self, name: str, kind: Optional[Commit], spark_sql: str) -> None:
        """Run a refresh's statement; without a kind nothing is remembered, because nobody reads on."""
        if kind is None:
            self._run(translation(spark_sql))
            return
        history = self.histories[name]
        changes = self._difference(name, history.version)
        self._run(translation(spark_sql))
        self._remember(history, kind, changes)

    def maintained(self, name: str) -> None:
        """OPTIMIZE and the like: a version with the same rows."""
        history = self.histories[name]
        history.commits.append(Commit.MAINTENANCE)
        self._keep_version(history)

    def restoring(self, name: str, version: int) -> exp.Expr:
        return exp.Insert(this=self._table(name), expression=self._rows(version_table(name, version)), overwrite=True)

    def _run(self, translated: Translation) -> None:
        for text in translated.statements:
            self._database.execute(text)
        guard = translated.must_be_empty
        if guard is not None and self._database.execute(guard).fetchone() is not None:
            raise duckdb.InvalidInputException("the change removes rows that are not stored")

    def _changes(self, name: str, before: int, statement: exp.Expr) -> Changes:
        """What the feed says: an UPDATE writes every row it touched, changed or not; all else the difference."""
        if not isinstance(statement, exp.Update):
            return self._difference(name, before)
        old, new = self._rows(version_table(name, before)), self._rows(name)
        where = statement.args.get("where")
        condition = exp.Paren(this=where.this if where is not None else exp.true())
        kept = old.copy().where(exp.Not(this=exp.Is(this=condition, expression=exp.true())))
        return [("update_preimage", old.where(condition)), ("update_postimage", _except_all(new, kept))]

    def _difference(self, name: str, before: int) -> Changes:
        old, new = self._rows(version_table(name, before)), self._rows(name)
        return [("delete", _except_all(old, new)), ("insert", _except_all(new, old))]

    def _remember(self, history: History, kind: Commit, changes: Changes) -> None:
        history.commits.append(kind)
        self._keep_version(history)
        for change, query in changes if kind is not Commit.REPLACE else ():
            items = [exp.Star(), alias(string(change), FEED_KIND), alias(integer(history.version), FEED_VERSION)]
            rows = exp.Select(expressions=items).from_(subquery(query, "changed"), copy=False)
            self._execute(exp.Insert(this=self._table(feed_table(history.name)), expression=rows))

    def _keep_version(self, history: History) -> None:
        self._create(version_table(history.name, history.version), self._rows(history.name))

    def _create(self, name: str, query: exp.Query) -> None:
        self._execute(exp.Create(this=self._table(name), kind="TABLE", replace=True, expression=query))

    def _execute(self, tree: exp.Expr) -> None:
        self._database.execute(to_text(tree, DUCKDB, pretty=False))

    def _rows(self, name: str) -> exp.Select:
        return exp.Select(expressions=[exp.Star()]).from_(self._table(name), copy=False)

    def _table(self, name: str) -> exp.Table:
        return exp.Table(this=identifier(name), db=identifier(self._schema))


def _except_all(one: exp.Query, other: exp.Query) -> exp.Query:
    return exp.Except(this=one.copy(), expression=other.copy(), distinct=False)
