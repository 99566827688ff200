"""SqlHistory: the TableHistory of a table whose files cannot be read from here, asked of Spark by SQL.

Exact and less precise than the log's files. What a commit did is known from its operation and metrics, so an operation
that is not known counts as one that changed rows. There are no statistics of files and no paths. Whether the feed was
on at an older version is not known once the table was redefined, and then counts as no. A commit's time is the one that
DESCRIBE HISTORY shows, which differs from the one in the commit's file: a position that was taken from files is not
found again by SQL, nor the other way round, and the table counts as created again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from functools import cached_property
from pathlib import Path
from typing import Any

from dbt.adapters.trickle.history.delta_files.commit import REPLACING, Commit, DataFile, FileFacts, ReaderProtocol
from dbt.adapters.trickle.history.delta_files.metadata import CHANGE_FEED, Metadata
from dbt.adapters.trickle.history.delta_files.snapshot import Size
from dbt.adapters.trickle.history.sql_operations import changed_files, keeps_protocol, redefines
from dbt.adapters.trickle.history.sql_schema import schema_string
from dbt.adapters.trickle.history.table_history import LogUnreadable, Named, TableHistory
from dbt.adapters.trickle.ports import Row, Session, StatementFailed

ABSENT = ("TABLE_OR_VIEW_NOT_FOUND", "SCHEMA_NOT_FOUND", "DELTA_MISSING_DELTA_TABLE", "DELTA_TABLE_NOT_FOUND")
"""Conditions with which Spark says that there is no such table."""
IN_UTC = {"spark.sql.session.timeZone": "UTC"}

VERSION, TIMESTAMP, OPERATION, PARAMETERS, METRICS, USER_METADATA = 0, 1, 4, 5, 12, 13
"""Columns of DESCRIBE HISTORY."""
ID, DESCRIPTION, PARTITIONS, CLUSTERING, FILES, BYTES, PROPERTIES, READER, FEATURES = 1, 3, 7, 8, 9, 10, 11, 12, 14
"""Columns of DESCRIBE DETAIL."""


class _Answers:
    """What Spark has answered about one table: each question is asked once."""

    def __init__(self, session: Session, table: str) -> None:
        self.session = session
        self.table = table
        self._columns: dict[int, tuple[tuple[str, str], ...]] = {}

    @cached_property
    def history(self) -> Mapping[int, Row]:
        """The commits by their versions; none where there is no such table."""
        try:
            with self.session.with_settings(IN_UTC):
                return {int(row[VERSION]): row for row in self.session.rows(f"DESCRIBE HISTORY {self.table}")}
        except StatementFailed as failed:
            if failed.failure.first(*ABSENT):
                return {}
            raise self.unreadable(failed) from failed

    @cached_property
    def detail(self) -> Row:
        try:
            return self.session.rows(f"DESCRIBE DETAIL {self.table}")[0]
        except StatementFailed as failed:
            raise self.unreadable(failed) from failed

    def columns(self, version: int) -> tuple[tuple[str, str], ...]:
        if version not in self._columns:
            try:
                columns = self.session.columns(f"SELECT * FROM {self.table} VERSION AS OF {version}")
            except StatementFailed as failed:
                raise self.unreadable(failed) from failed
            self._columns[version] = tuple((str(name), str(kind)) for name, kind in columns)
        return self._columns[version]

    def unreadable(self, failed: StatementFailed) -> LogUnreadable:
        return LogUnreadable(f"the history of {self.table} cannot be read ({failed.failure.message})")


class SqlHistory:
    """The history of a table that Spark knows by a name, or by delta.`path`, as SQL writes it."""

    path: Path | None = None

    def __init__(self, session: Session, table: str, until: int | None = None, answers: _Answers | None = None) -> None:
        self._until = until
        self._answers = _Answers(session, table) if answers is None else answers

    @property
    def table(self) -> str:
        return self._answers.table

    @property
    def exists(self) -> bool:
        return bool(self.versions)

    @cached_property
    def versions(self) -> frozenset[int]:
        return frozenset(known for known in self._answers.history if self._until is None or known <= self._until)

    @property
    def latest(self) -> int:
        if not self.versions:
            raise LogUnreadable(f"there is no Delta table {self.table}")
        return max(self.versions)

    def has(self, version: int) -> bool:
        return version in self.versions

    def commit(self, version: int) -> Commit:
        if version not in self._answers.history:
            raise LogUnreadable(f"version {version} of {self.table} has been cleaned out of the log")
        row = self._answers.history[version]
        operation, parameters, metrics = (
            str(row[OPERATION] or ""),
            dict(row[PARAMETERS] or {}),
            dict(row[METRICS] or {}),
        )
        adds, removes = changed_files(operation, parameters, metrics)
        return Commit(
            version=version,
            committed_at=_milliseconds(row[TIMESTAMP]),
            operation=operation,
            parameters=parameters,
            metrics=metrics,
            user_metadata=row[USER_METADATA],
            adds=adds,
            removes=removes,
            change_files=(),
            metadata=self.definition(version) if self._is_redefined(version, operation) else None,
            # The protocol of an older version is not known: this one differs from every other.
            protocol=None if keeps_protocol(operation, parameters) else (-1, frozenset((operation,))),
        )

    def at(self, version: int) -> SqlHistory:
        return SqlHistory(self._answers.session, self.table, version, self._answers)

    @property
    def whole(self) -> SqlHistory:
        return SqlHistory(self._answers.session, self.table, None, self._answers)

    def by_now(self) -> SqlHistory:
        """The history after this run has written to the table."""
        return SqlHistory(self._answers.session, self.table)

    def definition(self, version: int) -> Metadata:
        """Columns as they were; identity and properties as they are, where nothing has replaced them since."""
        later = [str(row[OPERATION]) for known, row in self._answers.history.items() if known > version]
        detail = self._answers.detail
        properties = {str(name): str(value) for name, value in dict(detail[PROPERTIES] or {}).items()}
        if any(map(redefines, later)):
            properties.pop(CHANGE_FEED, None)
        return Metadata(
            id="" if any(operation.startswith(REPLACING) for operation in later) else str(detail[ID]),
            schema_string=schema_string(self._answers.columns(version)),
            partition_columns=tuple(detail[PARTITIONS] or ()),
            properties=properties,
            description=str(detail[DESCRIPTION] or ""),
        )

    def size(self, version: int) -> Size:
        """That of the newest version: rows are not counted, and older sizes are not known."""
        return Size(None, int(self._answers.detail[BYTES] or 0), int(self._answers.detail[FILES] or 0))

    def protocol(self, version: int) -> ReaderProtocol:
        return int(self._answers.detail[READER]), frozenset(self._answers.detail[FEATURES] or ())

    def clustering(self, version: int) -> tuple[str, ...] | None:
        return tuple(self._answers.detail[CLUSTERING] or ()) if version == max(self._answers.history) else None

    def files(self, version: int) -> Mapping[str, FileFacts]:
        return {}

    def data_files(self, version: int) -> Mapping[str, DataFile]:
        return {}

    def has_file(self, path: str) -> bool:
        return True

    def paths(self, files: Sequence[Named]) -> tuple[str, ...]:
        return ()

    def damage(self) -> str:
        """Spark finds out when it reads the table."""
        return ""

    def _is_redefined(self, version: int, operation: str) -> bool:
        """By its operation, or because a write has brought other columns, which its operation does not show."""
        if redefines(operation) or version - 1 not in self._answers.history:
            return True
        return self._answers.columns(version) != self._answers.columns(version - 1)


def _milliseconds(shown: Any) -> int:
    """A timestamp that a session in UTC shows."""
    assert isinstance(shown, datetime)
    instant = shown.replace(tzinfo=timezone.utc)
    return int(instant.timestamp()) * 1000 + instant.microsecond // 1000


_IS_A_HISTORY: type[TableHistory] = SqlHistory
