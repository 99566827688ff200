"""DuckDB with versions: every commit on a table leaves a copy of its rows and its entry in a change feed, as Delta's would."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Optional

import duckdb
from sqlglot import exp

from trickle import Happened, Probe, SourcePosition
from trickle.cli.verify.duck_dialect import DUCKDB, FEED_KIND, FEED_VERSION, duck_tree, feed_table, version_table
from trickle.sql.build import alias, column, identifier, integer, string, subquery
from trickle.sql.text import to_text


BOOKKEEPING = ("__trickle_count", "__trickle_rows")


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

    def commit(self, name: str, kind: Commit, statement: exp.Expr) -> None:
        """Run a statement on the table and remember what it did, row by row."""
        history = self.histories[name]
        before = history.version
        for part in self.runnable(name, statement):
            self.run(part)
        self.check(name)
        history.commits.append(kind)
        self._keep_version(history)
        for change, query in self._changes(name, before, statement):
            if kind is not Commit.REPLACE:
                self._feed(history, change, query)

    def maintained(self, name: str) -> None:
        """OPTIMIZE and the like: a version with the same rows."""
        history = self.histories[name]
        history.commits.append(Commit.MAINTENANCE)
        self._keep_version(history)

    def restoring(self, name: str, version: int) -> exp.Expr:
        return exp.Insert(this=self._table(name), expression=self._rows(version_table(name, version)), overwrite=True)

    def run(self, tree: exp.Expr) -> None:
        self._database.execute(to_text(duck_tree(tree.copy()), DUCKDB, pretty=False))

    def runnable(self, name: str, statement: exp.Expr) -> list[exp.Expr]:
        """The statement as DuckDB can run it, in one or more parts."""
        match statement:
            case exp.Insert() if statement.args.get("overwrite"):
                return self._overwriting(name, statement)
            case exp.Merge():
                return [_without_raise_error(statement)]
            case _:
                return [statement]

    def check(self, name: str) -> None:
        """Fail where RAISE_ERROR would have: it was left out of MERGE, and its NULL shows in the bookkeeping."""
        described = self._database.execute(to_text(self._rows(name).limit(0), DUCKDB)).description or []
        for column_name in [one[0] for one in described if one[0] in BOOKKEEPING]:
            nulls = self._rows(name).where(exp.Is(this=column(column_name), expression=exp.Null()), copy=False)
            if self._database.execute(to_text(nulls, DUCKDB)).fetchone() is not None:
                raise duckdb.InvalidInputException(f"the change removes rows that are not stored ({column_name} would be negative)")

    def _overwriting(self, name: str, statement: exp.Insert) -> list[exp.Expr]:
        """INSERT OVERWRITE, which DuckDB lacks, as a delete and an insert of rows computed before it."""
        query = statement.expression.copy()
        if statement.args.get("with_"):
            query.set("with_", statement.args["with_"].copy())
        anew = self._table("#anew")
        return [
            exp.Create(this=anew, kind="TABLE", replace=True, expression=query),
            exp.Delete(this=self._table(name)),
            exp.Insert(this=self._table(name), expression=exp.Select(expressions=[exp.Star()]).from_(anew)),
        ]

    def _changes(self, name: str, before: int, statement: exp.Expr) -> list[tuple[str, exp.Query]]:
        """What the feed says: an UPDATE writes every row it touched, changed or not; all else the difference."""
        old, new = self._rows(version_table(name, before)), self._rows(name)
        if isinstance(statement, exp.Update):
            where = statement.args.get("where")
            condition = where.this if where is not None else exp.true()
            touched = old.copy().where(condition.copy(), copy=False)
            kept = old.copy().where(exp.Not(this=exp.Is(this=exp.Paren(this=condition.copy()), expression=exp.true())), copy=False)
            return [("update_preimage", touched), ("update_postimage", _except_all(new, kept))]
        return [("delete", _except_all(old, new)), ("insert", _except_all(new, old))]

    def _feed(self, history: History, change: str, query: exp.Query) -> None:
        items = [exp.Star(), alias(string(change), FEED_KIND), alias(integer(history.version), FEED_VERSION)]
        rows = exp.Select(expressions=items).from_(subquery(query, "changed"), copy=False)
        self.run(exp.Insert(this=self._table(feed_table(history.name)), expression=rows))

    def _keep_version(self, history: History) -> None:
        self._create(version_table(history.name, history.version), self._rows(history.name))

    def _create(self, name: str, query: exp.Query) -> None:
        self.run(exp.Create(this=self._table(name), kind="TABLE", replace=True, expression=query))

    def _rows(self, name: str) -> exp.Select:
        return exp.Select(expressions=[exp.Star()]).from_(self._table(name), copy=False)

    def _table(self, name: str) -> exp.Table:
        return exp.Table(this=identifier(name), db=identifier(self._schema))


def _except_all(one: exp.Query, other: exp.Query) -> exp.Query:
    return exp.Except(this=one.copy(), expression=other.copy(), distinct=False)


def _without_raise_error(merge: exp.Merge) -> exp.Merge:
    """DuckDB computes what it would insert also for rows it then updates, so the error must not be in the way."""
    copied = merge.copy()
    for call in list(copied.find_all(exp.Anonymous)):
        if call.name.upper() == "RAISE_ERROR":
            call.replace(exp.Null())
    return copied
