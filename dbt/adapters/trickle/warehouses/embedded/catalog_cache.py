"""Answers of Spark's catalog, cached from one process to the next: valid until a file of its database changes.

One process at a time uses a warehouse. Whoever opens the catalog's database writes to its files, so that files which
are as they were at the end of a run prove that the catalog is, too. In doubt nothing is answered, and Spark is asked.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any

import xxhash

from dbt.adapters.trickle.warehouses.atomic_write import write_whole
from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import WarehouseFolders
from dbt.adapters.trickle.warehouses.statement_text import leaves_catalog

Rows = Sequence[Sequence[Any]]
Ask = Callable[[str], "Rows | None"]
"""None: Spark cannot answer."""

SCHEMAS = "show databases"
_OF_THE_PROCESS = (".lck",)
"""Files that tell which process has the database open, and nothing of what is in it."""


def listing_of(schema: str) -> str:
    """The question for everything in a schema."""
    return f"show table extended in `{schema.lower()}` like '*'"


def fingerprint(folders: WarehouseFolders) -> str:
    """Of the files of the catalog's database, by name, size and time of the last write; '' where there is none."""
    root = folders.metastore
    files = [
        f"{file.relative_to(root)} {known.st_size} {known.st_mtime_ns}"
        for file in sorted(root.rglob("*"))
        if file.is_file() and file.suffix not in _OF_THE_PROCESS
        for known in (file.stat(),)
    ]
    return xxhash.xxh3_128("\n".join(files).encode()).hexdigest() if files else ""


class CatalogCache:
    """What this process knows of a catalog: from the run before until Spark starts, from then on from Spark itself."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._folders: WarehouseFolders | None = None
        """The warehouse of the run under way."""
        self._running: WarehouseFolders | None = None
        """The warehouse in which this process runs Spark."""
        self._print = ""
        self._before: dict[str, Rows] = {}
        """Answers of the run before."""
        self._answers: dict[str, Rows] = {}
        """Answers of Spark since a statement last changed the catalog."""
        self._wanted: dict[str, None] = {}
        """The questions of this run."""
        self._is_outdated = False
        """Whether answers were given that another process has made wrong since."""
        self._is_mixed = False

    def begin(self, folders: WarehouseFolders) -> None:
        """A run begins."""
        with self._lock:
            self._folders, self._is_mixed, self._is_outdated, self._wanted = folders, False, False, {}
            self._print, self._before = ("", {}) if self._running == folders else _read(folders)

    def answer(self, question: str) -> Rows | None:
        """What Spark would answer; None where it must be asked."""
        with self._lock:
            if self._folders is None or question not in self._before or fingerprint(self._folders) != self._print:
                return None
            self._wanted[question] = None
            return self._before[question]

    def note(self, question: str, rows: Rows) -> None:
        """Spark has answered."""
        with self._lock:
            self._wanted[question] = None
            self._answers[question] = [list(row) for row in rows]

    def want(self, question: str) -> None:
        """The next run will ask it."""
        with self._lock:
            self._wanted[question] = None

    def ran(self, statement: str) -> None:
        """Spark is given a statement: what it has answered may not be true any more."""
        if not leaves_catalog(statement):
            with self._lock:
                self._answers = {}

    def mixed(self) -> None:
        """The run builds other things than stream tables: the next one like it will need Spark as well."""
        self._is_mixed = True

    def starts(self, folders: WarehouseFolders) -> None:
        """This process has the warehouse to itself from now on, and is about to start Spark in it."""
        with self._lock:
            was_used = bool(self._before) and self._folders == folders
            self._is_outdated = was_used and fingerprint(folders) != self._print
            self._running, self._before, self._answers = folders, {}, {}

    @property
    def follows_spark(self) -> bool:
        """Whether this process runs Spark in the warehouse of the run under way."""
        return self._running is not None and self._running == self._folders

    def is_outdated(self) -> bool:
        """Whether what was answered in this run must be asked again, said once."""
        with self._lock:
            outdated, self._is_outdated = self._is_outdated, False
            return outdated

    def stops(self) -> None:
        """Spark has ended in this process."""
        with self._lock:
            self._running, self._answers = None, {}

    def save(self, ask: Ask) -> None:
        """A run has ended and Spark is idle: save the answers to its questions, asking again what may have changed."""
        with self._lock:
            folders, self._folders = self._folders, None
            wanted = list(self._wanted)
            missing = [question for question in wanted if question not in self._answers]
            if folders is None or self._running != folders or (missing and self._is_mixed):
                return
        for question in missing:
            rows = ask(question)
            if rows is not None and (question == SCHEMAS or is_listing(question) or is_of_a_view(rows)):
                self.note(question, rows)
        with self._lock:
            answers = {question: self._answers[question] for question in wanted if question in self._answers}
        _write(folders, answers)


def is_listing(question: str) -> bool:
    return question.startswith("show table extended in ")


def is_of_a_view(rows: Rows) -> bool:
    """Whether the entry is one that the catalog knows by itself: a table's columns are in its log or its files."""
    return any(len(row) > 1 and row[0] == "Type" and row[1] == "VIEW" for row in rows)


def _made_by() -> list[str]:
    return [version("dbt-trickle"), version("pyspark")]


def _read(folders: WarehouseFolders) -> tuple[str, dict[str, Rows]]:
    """The fingerprint and answers of the run before; what cannot be read is as if it were not there."""
    try:
        content = json.loads(folders.catalog_answers.read_text("utf-8"))
        known, answers = str(content["fingerprint"]), dict(content["answers"])
        current = content["made_by"] == _made_by() and known == fingerprint(folders)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return "", {}
    return (known, answers) if current and all(map(_are_rows, answers.values())) else ("", {})


def _are_rows(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(row, list) for row in value)


def _write(folders: WarehouseFolders, answers: dict[str, Rows]) -> None:
    content = {"made_by": _made_by(), "fingerprint": fingerprint(folders), "answers": answers}
    write_whole(folders.catalog_answers, json.dumps(content, default=str).encode())


CATALOG = CatalogCache()
