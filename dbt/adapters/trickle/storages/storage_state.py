"""The state of a storage table by its log, and whether its rows can be maintained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dbt.adapters.trickle.history.delta_files import (
    DeltaLog,
    LogUnreadable,
    StampedCommit,
    last_stamp,
    unstamped_change,
)
from dbt.adapters.trickle.history.delta_files.commit import Commit
from dbt.adapters.trickle.history.delta_files.metadata import Metadata
from dbt.adapters.trickle.history.delta_files.snapshot import metadata_at
from dbt.adapters.trickle.history.delta_files.thorough import damage_in_files, damage_in_log
from dbt.adapters.trickle.storages.ownership import readable_stamp
from dbt.adapters.trickle.storages.table_properties import RETIRED
from trickle import Reason, Stamp, StateError

PLANNED_ON = "planned_on"
"""In a stamp: the storage version a refresh was planned on. Commits between it and the stamped one are foreign."""


@dataclass(frozen=True)
class State:
    """The storage's log, definition and last refresh."""

    log: DeltaLog
    stamped: StampedCommit | None
    definition: Metadata | None
    """None if there is no table, or its log cannot be read."""
    distrust: Reason | None
    """Why the rows cannot be maintained, though there is a table."""

    @property
    def unreadable(self) -> bool:
        """Whether there is a log that Delta can neither read nor replace."""
        return self.log.exists and self.definition is None

    @property
    def properties(self) -> Mapping[str, str]:
        return self.definition.properties if self.definition is not None else {}

    @property
    def storage_id(self) -> str:
        return self.definition.id if self.definition is not None else ""

    @property
    def stamp(self) -> Stamp | None:
        return self.stamped.stamp if self.stamped and not self.distrust else None

    @property
    def last_stamp(self) -> Stamp | None:
        """The stamp of the last refresh, trusted or not: a rebuild must not read older source versions either."""
        return self.stamped.stamp if self.stamped else None


def read_state(log: DeltaLog, full_refresh: bool = False) -> State:
    """The state by the log. Rows are distrusted if another writer changed them or files are damaged or missing."""
    if not log.exists:
        return State(log, None, None, None)
    try:
        metadata = metadata_at(log, log.latest)
        stamped = last_stamp(log)
        distrust = _distrust(log, stamped, metadata.properties)
        broken = damage_in_log(log)
    except LogUnreadable as failure:
        return _unreadable(log, str(failure))
    except StateError:
        # A newer release wrote it: only a full refresh, which does not use the stamp, may go on.
        if not full_refresh:
            raise
        return _unreadable(log, "A newer dbt-trickle wrote the storage.")
    if broken:
        return _unreadable(log, broken)
    missing = damage_in_files(log)
    return State(log, stamped, metadata, damaged(missing) if missing else distrust)


def _unreadable(log: DeltaLog, damage: str) -> State:
    return State(log, readable_stamp(log), None, damaged(damage))


def damaged(damage: str) -> Reason:
    """The reason of a rebuild: the storage can be rebuilt from its sources."""
    return Reason("storage_damaged", f"The storage cannot be read: {damage}.")


def change_by_others(log: DeltaLog, stamped: StampedCommit) -> Commit | None:
    """The first commit since the last refresh, or during it, that changed rows and is not ours."""
    planned_on = stamped.stamp.extra.get(PLANNED_ON)
    return unstamped_change(log, stamped, planned_on if isinstance(planned_on, int) else None)


def _distrust(log: DeltaLog, stamped: StampedCommit | None, properties: Mapping[str, str]) -> Reason | None:
    if stamped is None:
        return None
    if RETIRED in properties:
        return Reason("storage_retired", "The model was not a stream table since its last refresh.")
    change = change_by_others(log, stamped)
    if change is None:
        return None
    return Reason(
        "storage_changed",
        f"Version {change.version} of the storage table is a {change.operation} that is not ours.",
        remedy="Write to the sources instead.",
    )
