"""The record of a stream table's last refresh: in its log, and for refreshes that wrote nothing, in the Memory.

A refresh that finds no changes writes nothing into the table, or every reader downstream would have to read the commit.
But it has used its slot: otherwise a nightly table would be refreshed by day as soon as new rows arrive. So the start
of the run is stored beside the log. Losing that costs one check at the next run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dbt.adapters.trickle.history.delta_files import LogUnreadable, StampedCommit, last_stamp
from dbt.adapters.trickle.history.delta_files.metadata import Metadata
from dbt.adapters.trickle.history.delta_files.snapshot import metadata_at
from dbt.adapters.trickle.history.table_history import TableHistory
from dbt.adapters.trickle.ports import NOT_SUSPENDED, Memory, QuietRefresh, Suspension
from dbt.adapters.trickle.storages.table_properties import ERRORS, RETIRED, SCHEDULE, STATUS

TICK = "tick"
"""In a stamp: the start of the run that refreshed the table (epoch milliseconds). Schedules are compared with it."""

FILE = "file"
"""In a stamp: dbt's checksum of the model's file; it identifies an edited model before it is compiled."""

FAILED_AFTER = "trickle.failed_after"
"""The number of the refresh after which ERRORS were counted: a later refresh resets the count."""


@dataclass(frozen=True)
class RefreshMemory:
    """The last refresh of a stream table; all fields are empty if there was none."""

    stamped: StampedCommit | None = None
    tick: int | None = None
    """When the run of the last refresh started, including one that found no changes."""
    written: int | None = None
    """When the run of the last refresh that wrote rows started."""
    file: str = ""
    errors: int = 0
    """Consecutive failed refreshes that were not forgiven."""
    schedule: str = ""
    """The schedule stored in the table's properties, as written; '' for none."""
    suspended_since: int | None = None
    """When it was suspended by hand."""
    definition: Metadata | None = None
    """The storage table's metadata."""


def read_memory(log: TableHistory, check: QuietRefresh | None, suspension: Suspension = NOT_SUSPENDED) -> RefreshMemory:
    """The last refresh from the log and the last check. Without a readable log there is none, and the table is due."""
    nothing = RefreshMemory(suspended_since=suspension.suspended_since)
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
    stamped_tick = extra.get(TICK)
    tick = stamped_tick if isinstance(stamped_tick, int) else stamped.commit.committed_at
    written, file = tick, str(extra.get(FILE, ""))
    if check is not None and check.table == definition.id and check.tick >= tick:
        tick, file = check.tick, check.file
    errors = unforgiven_errors(definition, stamped, suspension)
    schedule = definition.properties.get(SCHEDULE, "")
    return RefreshMemory(stamped, tick, written, file, errors, schedule, suspension.suspended_since, definition)


def revoke_forgiveness(memory: Memory, schema: str, name: str) -> None:
    """Count the forgiven failures again, after another one."""
    suspension = memory.suspension(schema, name)
    if suspension.forgiven:
        memory.write_suspension(schema, name, Suspension(suspension.suspended_since))


def consecutive_errors(properties: Mapping[str, str], stamped: StampedCommit | None) -> int:
    """Failures since the last refresh that wrote rows; 0 if there was such a refresh after them."""
    number = str(stamped.stamp.refresh if stamped else 0)
    if properties.get(FAILED_AFTER, number) != number:
        return 0
    counted = properties.get(ERRORS, "0")
    return int(counted) if counted.isdigit() else 0


def failures_of(definition: Metadata | None, stamped: StampedCommit | None) -> str:
    """An identifier of the failures counted now, by which they are forgiven; '' if there are none."""
    if definition is None:
        return ""
    errors = consecutive_errors(definition.properties, stamped)
    after = stamped.stamp.refresh if stamped else 0
    return f"{definition.id} after {after}: {errors}" if errors else ""


def unforgiven_errors(definition: Metadata | None, stamped: StampedCommit | None, suspension: Suspension) -> int:
    """Consecutive failures, 0 if they were forgiven."""
    if definition is None or failures_of(definition, stamped) == suspension.forgiven:
        return 0
    return consecutive_errors(definition.properties, stamped)


def failure_properties(errors: int, stamped: StampedCommit | None, suspended: bool) -> dict[str, str]:
    """The table properties after a failed refresh, or with 0 errors after one that succeeded."""
    status = "suspended" if suspended else "failed" if errors else "active"
    return {ERRORS: str(errors), FAILED_AFTER: str(stamped.stamp.refresh if stamped else 0), STATUS: status}


def checksum(model: Mapping[str, object]) -> str:
    """dbt's checksum of a model's file."""
    stored = model.get("checksum")
    return str(stored.get("checksum", "")) if isinstance(stored, Mapping) else ""
