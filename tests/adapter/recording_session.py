"""A Session without Spark: it records the statements, and returns or fails as the test sets it up."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from dbt.adapters.trickle.ports import Capabilities, Outcome, Session, StatementFailed, Versions
from dbt.adapters.trickle.warehouses.schema_text import ddl_of
from trickle import Failure
from trickle.catalog.source_files import DataFiles

Effect = Callable[[str], Failure | None]
"""What a statement does beside being recorded; the failure it ends with, if any."""


def nothing(sql: str) -> Failure | None:
    return None


@dataclass
class Ran:
    """A statement, and the settings it ran under."""

    sql: str
    settings: Mapping[str, str]


@dataclass
class RecordingSession:
    """The Session port's second implementation."""

    effect: Effect = nothing
    values: dict[str, str] = field(default_factory=dict)
    answers: dict[str, Sequence[Sequence[Any]]] = field(default_factory=dict)
    types: dict[str, Sequence[tuple[str, str]]] = field(default_factory=dict)
    ran: list[Ran] = field(default_factory=list)
    computed: dict[str, str] = field(default_factory=dict)
    """The parts that are kept at the moment."""
    capabilities: Capabilities = field(default_factory=Capabilities)
    cancelled: bool = False

    @property
    def statements(self) -> list[str]:
        return [one.sql for one in self.ran]

    def run(self, sql: str) -> Outcome:
        self._record(sql)
        return Outcome({})

    def rows(self, sql: str) -> Sequence[Sequence[Any]]:
        self._record(sql)
        return self.answers.get(sql, ())

    def columns(self, sql: str) -> Sequence[tuple[str, str]]:
        return self.types[sql]

    def settings(self) -> Mapping[str, str]:
        return dict(self.values)

    def set(self, values: Mapping[str, str | None]) -> None:
        for key, value in values.items():
            if value is None:
                self.values.pop(key, None)
            else:
                self.values[key] = value

    @contextmanager
    def with_settings(self, values: Mapping[str, str | None]) -> Generator[None, None, None]:
        before = self.settings()
        self.set(values)
        try:
            yield
        finally:
            self.set({key: before.get(key) for key in values})

    def compute(self, name: str, sql: str) -> None:
        self._record(sql)
        self.computed[name] = sql

    def name_files(self, name: str, files: DataFiles) -> None:
        self._record(f"files {name}: {', '.join(files.paths)}")
        self.computed[name] = ddl_of(files.columns)

    def forget(self, name: str) -> None:
        self.computed.pop(name, None)

    def another(self) -> RecordingSession:
        return RecordingSession(self.effect)

    def versions(self) -> Versions:
        return Versions("4.2.0", "4.4.0")

    def cancel(self) -> None:
        self.cancelled = True

    def close(self) -> None:
        """Nothing is open."""

    def _record(self, sql: str) -> None:
        self.ran.append(Ran(sql, dict(self.values)))
        failure = self.effect(sql)
        if failure is not None:
            raise StatementFailed(failure, sql)


_IS_A_SESSION: type[Session] = RecordingSession
