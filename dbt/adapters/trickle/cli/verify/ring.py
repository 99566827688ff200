"""Ring: where a scenario runs. What the runner asks of a database that holds versioned tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Protocol

from trickle import Column, Failure, Name, Probe, RefreshPlan, SourcePosition
from trickle.apply.steps import DataStep

Row = tuple[Any, ...]


class RingCannot(Exception):
    """The database cannot run the user's own SQL: its own sentence, so that nothing is hidden."""


class Ring(Protocol):
    """Statements and queries are Spark SQL; names are resolved in the schema of the scenario that has begun."""

    name: str
    errors: tuple[type[Exception], ...]
    """What the database raises when a statement fails."""
    breakdowns: tuple[type[Exception], ...]
    """Those of them that are faults of the database itself."""
    exhaustions: tuple[type[Exception], ...]
    """Those raised when the database has too little memory."""
    merges_in_place: bool
    """Whether a column that USING or NATURAL merges stays where it was; in Spark it comes first in the star."""

    def sentence(self, error: Exception) -> str:
        """Such an error in one line."""
        ...

    def failure(self, error: Exception) -> Failure:
        """Such an error as a value, by which a refresh decides what to do instead."""
        ...

    def begin(self) -> str:
        """A fresh, empty schema; returns its name."""
        ...

    def end(self) -> None:
        """Drop what `begin` made."""
        ...

    def create_table(self, name: str, columns: Sequence[Column], rows: Sequence[str]) -> None:
        """A source table with its first rows, in one or two commits."""
        ...

    def change(self, statement: str) -> None:
        """One statement on a source table: one commit."""
        ...

    def probe(self, physical: Name, source: str, before: Optional[SourcePosition]) -> Probe:
        """What happened to a table since a position."""
        ...

    def commit(self, storage: Name, facade: Name, plan: RefreshPlan, read_on: bool) -> None:
        """Run a refresh, the data's commit with the plan's stamp. `read_on`: its versions and changes will be read."""
        ...

    def attempt(self, storage: Name, data: Sequence[DataStep], query: str) -> list[Row]:
        """Run the data steps of a refresh, read the query's rows, and put the storage back as it was."""
        ...

    def rows(self, query: str) -> list[Row]: ...

    def values(self, rows: Sequence[str]) -> list[Row]:
        """Rows written as SQL between parentheses."""
        ...

    def columns_of(self, query: str) -> list[tuple[str, str]]:
        """Names and types of a query's columns; RingCannot when the database refuses the query."""
        ...
