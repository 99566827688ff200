"""What is remembered of a stream table's last refresh: in its log, and for checks that wrote nothing, in a small file.

A refresh with nothing to do writes nothing into the table, or every reader downstream would have to look at the commit.
Yet it has taken its slot: were that forgotten, a nightly table would take up by day what comes in by day. So the run's
start is kept beside the warehouse. Losing the file costs no more than a check at the next run.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from dbt.adapters.trickle.history.delta_files import DeltaLog, LogUnreadable, StampedCommit, last_stamp
from dbt.adapters.trickle.history.delta_files.metadata import Metadata
from dbt.adapters.trickle.history.delta_files.snapshot import metadata_at
from dbt.adapters.trickle.scheduling.suspensions import NONE, Ruling
from dbt.adapters.trickle.storages.table_properties import ERRORS, RETIRED, SCHEDULE, STATUS

TICK = "tick"
"""In a stamp: when the run started that refreshed the table (epoch milliseconds). Schedules are judged against it."""

FILE = "file"
"""In a stamp: dbt's checksum of the model's file, by which an edited model is known before it is compiled."""

FAILED_AFTER = "trickle.failed_after"
"""The number of the refresh since which ERRORS were counted: a later refresh voids the count."""


LONGEST_NAME = 180
"""Bytes of a name that leave room in a file's name for what is written beside it."""


@dataclass(frozen=True)
class QuietRefresh:
    """A refresh that found nothing to do."""

    table: str
    """The storage table's id: a table made anew has not been checked."""
    tick: int
    file: str


@dataclass(frozen=True)
class RefreshMemory:
    """The last refresh of a stream table; all empty when there was none."""

    stamped: StampedCommit | None = None
    tick: int | None = None
    """When the run of the last refresh started, one that found nothing to do included."""
    written: int | None = None
    """When the run of the last refresh started that wrote something."""
    file: str = ""
    errors: int = 0
    """Failed refreshes in a row that were not forgiven."""
    schedule: str = ""
    """The schedule that the storage keeps, as written; '' for none."""
    suspended_since: int | None = None
    """When somebody suspended it by hand."""
    definition: Metadata | None = None
    """What the storage says of itself."""


class QuietRefreshes:
    """The files, one a table, in a folder of the warehouse."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def of(self, schema: str, identifier: str) -> QuietRefresh | None:
        try:
            kept = json.loads(self._file(schema, identifier).read_text("utf-8"))
            return QuietRefresh(str(kept["table"]), int(kept["tick"]), str(kept["file"]))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError):
            # A hint that cannot be read is no hint, and the next check writes it anew.
            return None

    def keep(self, schema: str, identifier: str, check: QuietRefresh) -> None:
        """In one step, so that a run beside this one reads the old text or the new."""
        file = self._file(schema, identifier)
        file.parent.mkdir(parents=True, exist_ok=True)
        written = file.with_name(f"{file.name}.{os.getpid()}.{id(check)}")
        written.write_text(json.dumps(asdict(check)), encoding="utf-8")
        written.replace(file)

    def _file(self, schema: str, identifier: str) -> Path:
        name = identifier.lower()
        if len(name.encode()) > LONGEST_NAME:
            name = hashlib.sha256(name.encode()).hexdigest()
        return self._folder / schema.lower() / f"{name}.json"


def read_memory(log: DeltaLog, check: QuietRefresh | None, ruling: Ruling = NONE) -> RefreshMemory:
    """What the log and the last check say together. A log that cannot be read says nothing: its table is due."""
    nothing = RefreshMemory(suspended_since=ruling.suspended_since)
    try:
        stamped = last_stamp(log)
        if stamped is None:
            return nothing
        definition = metadata_at(log, log.latest)
    except LogUnreadable:
        return nothing
    if RETIRED in definition.properties:
        return nothing
    extra = stamped.stamp.extra
    told = extra.get(TICK)
    tick = told if isinstance(told, int) else stamped.commit.committed_at
    written, file = tick, str(extra.get(FILE, ""))
    if check is not None and check.table == definition.id and check.tick >= tick:
        tick, file = check.tick, check.file
    errors = standing_errors(definition, stamped, ruling)
    schedule = definition.properties.get(SCHEDULE, "")
    return RefreshMemory(stamped, tick, written, file, errors, schedule, ruling.suspended_since, definition)


def consecutive_errors(properties: Mapping[str, str], stamped: StampedCommit | None) -> int:
    """Failures counted since the last refresh that wrote; none when there was one after them."""
    number = str(stamped.stamp.refresh if stamped else 0)
    if properties.get(FAILED_AFTER, number) != number:
        return 0
    counted = properties.get(ERRORS, "0")
    return int(counted) if counted.isdigit() else 0


def failures_of(definition: Metadata | None, stamped: StampedCommit | None) -> str:
    """A name for the failures that are counted now, by which they are forgiven; '' when there are none."""
    if definition is None:
        return ""
    errors = consecutive_errors(definition.properties, stamped)
    after = stamped.stamp.refresh if stamped else 0
    return f"{definition.id} after {after}: {errors}" if errors else ""


def standing_errors(definition: Metadata | None, stamped: StampedCommit | None, ruling: Ruling) -> int:
    """Failures in a row, unless they were forgiven."""
    if definition is None or failures_of(definition, stamped) == ruling.forgiven:
        return 0
    return consecutive_errors(definition.properties, stamped)


def failure_properties(errors: int, stamped: StampedCommit | None, suspended: bool) -> dict[str, str]:
    """What to set on the storage when a refresh failed, or with no errors, when one that failed before went well."""
    status = "suspended" if suspended else "failed" if errors else "active"
    return {ERRORS: str(errors), FAILED_AFTER: str(stamped.stamp.refresh if stamped else 0), STATUS: status}


def checksum(model: Mapping[str, object]) -> str:
    """dbt's checksum of the file a model stands in."""
    found = model.get("checksum")
    return str(found.get("checksum", "")) if isinstance(found, Mapping) else ""
