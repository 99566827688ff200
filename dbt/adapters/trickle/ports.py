"""The ports: what the adapter needs of Spark, its catalog, histories of tables and its memory. No implementation here.

Each has several: `warehouses/<method>/` a Session, `history/<kind>/` a TableHistory, and fakes in the tests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from dbt_common.exceptions import DbtDatabaseError

from dbt.adapters.trickle.names import local_folder
from trickle import Column, Failure, Name
from trickle.catalog.source_files import DataFiles

Row = Sequence[Any]


class StatementFailed(DbtDatabaseError):
    """Spark refused or could not finish a statement. To dbt, which shows its message, a database error."""

    def __init__(self, failure: Failure, sql: str = "") -> None:
        super().__init__(failure.message)
        self.failure = failure
        self.sql = sql
        """The statement, as it was sent; '' where there was none."""


@dataclass(frozen=True)
class Outcome:
    """The result of a finished statement that gives no rows."""

    metrics: Mapping[str, int]
    """As Delta's MERGE, UPDATE and DELETE answer them: `num_affected_rows` and its parts. INSERT answers none."""

    @property
    def affected_rows(self) -> int | None:
        return self.metrics.get("num_affected_rows")


@dataclass(frozen=True)
class Versions:
    """The versions of the server that runs the statements."""

    spark: str
    delta: str


@dataclass(frozen=True)
class Capabilities:
    """What a session can do. Where one is missing, a refresh does without it: slower, never otherwise."""

    commit_metadata: bool = True
    """A setting of the session reaches the commit as its `userMetadata`."""
    temporary_parts: bool = True
    """A query's rows can be computed once and read under a name until the session ends."""
    reads_files: bool = True
    """Data files can be read by the paths that the log names."""
    local_history: bool = True
    """Logs can be read from this machine. Without it, histories are read by SQL, which has no statistics of files."""


@dataclass(frozen=True)
class FileStatus:
    """What tells a file from another one that bears its name later."""

    size: int
    modified_ns: int


class LogStore(Protocol):
    """Files where tables lie, by their locations. What fails is an OSError; what is not there is none."""

    def list(self, folder: str) -> Sequence[str]:
        """The names in a folder; none where there is no such folder."""
        ...

    def read(self, file: str) -> bytes: ...

    def ends(self, file: str, length: int) -> tuple[bytes, bytes]:
        """The first and the last bytes of a file."""
        ...

    def stat(self, file: str) -> FileStatus | None:
        """None where there is no such file."""
        ...


class Session(Protocol):
    """One session of Spark: its own settings, temporary views and current schema. Failures are StatementFailed."""

    capabilities: Capabilities

    def run(self, sql: str) -> Outcome:
        """Run one statement to its end."""
        ...

    def rows(self, sql: str) -> Sequence[Row]:
        """All rows of a query, or what a command answers."""
        ...

    def columns(self, sql: str) -> Sequence[tuple[str, str]]:
        """Names and types of a query's columns. Nothing is run."""
        ...

    def settings(self) -> Mapping[str, str]:
        """Every setting that somebody gave a value."""
        ...

    def with_settings(self, values: Mapping[str, str | None]) -> AbstractContextManager[None]:
        """These settings until the block ends, then what was there before. None: Spark's default."""
        ...

    def set(self, values: Mapping[str, str | None]) -> None:
        """These settings for as long as the session lasts. None: Spark's default."""
        ...

    def compute(self, name: str, sql: str) -> None:
        """Compute a query now and keep its rows under a name, as a temporary view over rows and nothing else."""
        ...

    def name_files(self, name: str, files: DataFiles) -> None:
        """A temporary view of exactly these rows of Parquet files. Fails where a file is not there."""
        ...

    def forget(self, name: str) -> None:
        """Drop what `compute` kept or `name_files` named. Quiet when it is not there any more."""
        ...

    def another(self) -> Session:
        """A session of the same profile in which nobody has done anything yet."""
        ...

    def versions(self) -> Versions: ...

    def cancel(self) -> None:
        """Stop what runs, and start nothing any more."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class CatalogEntry:
    """A table or view, as the catalog describes it."""

    columns: tuple[Column, ...]
    details: dict[str, str]
    comments: Mapping[str, str] = field(default_factory=dict)
    """Column, in lower case → its comment, where it has one."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def is_view(self) -> bool:
        return self.details.get("Type", "").upper() == "VIEW"

    @property
    def delta_path(self) -> Path | None:
        """Where a Delta table lies, when its log can be read from here."""
        is_delta = self.details.get("Provider", "").lower() == "delta"
        return local_folder(self.details.get("Location", "")) if is_delta else None


class Catalog(Protocol):
    """What a name is. Names have their schema. None: nothing bears the name."""

    def managed_folder(self, schema: str, name: str) -> Path:
        """Where a table without a location of its own lies, or would lie. Asks nobody."""
        ...

    def entry(self, name: Name) -> CatalogEntry | None:
        """A table or view."""
        ...

    def view_details(self, name: Name) -> str:
        """A view's text and the settings it was created under, as Spark's JSON."""
        ...

    def function(self, name: Name) -> Sequence[Row] | None:
        """A user's function, as the rows that describe it; None for Spark's own as well."""
        ...

    def columns_of(self, query: str) -> tuple[Column, ...]:
        """The columns of a query."""
        ...

    def columns_of_files(self, path: Name) -> tuple[Column, ...] | None:
        """The columns of files that are named by their path: parquet.`/data/x`."""
        ...


@dataclass(frozen=True)
class QuietRefresh:
    """A refresh that found no changes."""

    table: str
    """The storage table's id: a rebuilt table has not been checked."""
    tick: int
    """When its run started, in epoch milliseconds."""
    file: str
    """dbt's checksum of the model's file."""


@dataclass(frozen=True)
class Suspension:
    """The last decision about one table: suspended or not, and which failures are forgiven."""

    suspended_since: int | None = None
    """Epoch milliseconds; None when it is not suspended by hand."""
    forgiven: str = ""
    """The failures that do not count, as identified by `scheduling.memory.failures_of`."""


NOT_SUSPENDED = Suspension()


class Memory(Protocol):
    """What is stored about stream tables between runs beside their logs, by schema and name of the stream table.

    The failures themselves are counted in the properties of the storage table, so that they are read with its history.
    Losing a quiet refresh costs one check. A suspension that cannot be read counts as one. Raises OSError where nothing
    can be written.
    """

    def quiet_refresh(self, schema: str, name: str) -> QuietRefresh | None:
        """The last refresh that found no changes; None if there was none, or it cannot be read."""
        ...

    def write_quiet_refresh(self, schema: str, name: str, check: QuietRefresh) -> None: ...

    def suspension(self, schema: str, name: str) -> Suspension: ...

    def write_suspension(self, schema: str, name: str, suspension: Suspension) -> None: ...
