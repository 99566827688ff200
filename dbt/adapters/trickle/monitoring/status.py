"""The status of each stream table of a project: one record per table, from logs, the manifest and the last run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from dbt.adapters.trickle.history.delta_files import DeltaLog, LogUnreadable, StampedCommit, last_stamp
from dbt.adapters.trickle.history.delta_files.snapshot import metadata_at
from dbt.adapters.trickle.history.delta_files.thorough import damage_in_files, damage_in_log
from dbt.adapters.trickle.monitoring.short_numbers import iso
from dbt.adapters.trickle.monitoring.staleness import Staleness, UnreadChanges
from dbt.adapters.trickle.monitoring.stored_size import StoredSize, stored_size_at
from dbt.adapters.trickle.project.nodes import Node
from dbt.adapters.trickle.project.outcome import Outcome
from dbt.adapters.trickle.project.project import Project
from dbt.adapters.trickle.scheduling.memory import unforgiven_errors
from dbt.adapters.trickle.storages.arrangements import arrangements_in
from dbt.adapters.trickle.storages.stamp_fields import BECAUSE, MAINTAINED, MODE
from dbt.adapters.trickle.storages.storage_state import change_by_others
from dbt.adapters.trickle.storages.table_properties import RETIRED, STATUS
from trickle.catalog.frontier import MESSAGE

NEVER, FRESH, BEHIND, LATE, UNKNOWN = "never built", "fresh", "behind", "late", "unknown"
FAILED, SUSPENDED, BROKEN, CHANGED = "failed", "suspended", "broken", "changed"
STATES = (FRESH, BEHIND, LATE, UNKNOWN, NEVER, FAILED, SUSPENDED, CHANGED, BROKEN)
SUSPENDED_VALUE = "suspended"
REBUILT = "the next run rebuilds the table."


@dataclass(frozen=True)
class LagTarget:
    """A table's schedule, and how old its rows may become by it."""

    schedule: str = ""
    words: str = ""
    """The schedule as a sentence."""
    milliseconds: int | None = None


Targets = Callable[[Node, int], LagTarget]
"""The target of a node at an instant."""


@dataclass(frozen=True)
class TableStatus:
    """A stream table at one instant."""

    node: Node
    state: str
    detail: str = ""
    """A sentence where the state needs one."""
    stamped: StampedCommit | None = None
    unread: UnreadChanges = field(default_factory=UnreadChanges)
    lag: int | None = None
    """Milliseconds that its rows lag behind its sources; None if it was never built or the lag is unknown."""
    target: LagTarget = field(default_factory=LagTarget)
    size: StoredSize | None = None
    errors: int = 0
    """Consecutive failed refreshes."""
    suspended: bool = False
    last_run: Outcome | None = None
    arrangements: Mapping[str, StoredSize] = field(default_factory=dict)
    """Groupings inside the query that are stored by themselves: name → size."""

    @property
    def mode(self) -> str:
        """`refresh_mode` as of the last refresh, or as configured now."""
        stamped = self._stamp_field(MODE)
        return str(stamped or self.node.config.get("refresh_mode") or "auto")

    @property
    def maintained(self) -> str:
        """`incremental` or `recompute`; '' before the first refresh that recorded it."""
        return str(self._stamp_field(MAINTAINED) or "")

    @property
    def because(self) -> Mapping[str, str]:
        """Why the query has no incremental form: code → sentence."""
        because = self._stamp_field(BECAUSE)
        return (
            {str(code): str(last_message) for code, last_message in because.items()}
            if isinstance(because, Mapping)
            else {}
        )

    @property
    def last_message(self) -> str:
        return str(self._stamp_field(MESSAGE) or "")

    def _stamp_field(self, mark: str) -> object:
        return self.stamped.stamp.extra.get(mark) if self.stamped else None


def statuses(project: Project, targets: Targets, now: int) -> list[TableStatus]:
    """Every stream table, in order of name."""
    staleness = Staleness(project.source_log)
    return [status_of(project, node, staleness, targets(node, now), now) for node in project.stream_tables]


def status_of(project: Project, node: Node, staleness: Staleness, target: LagTarget, now: int) -> TableStatus:
    """One table. A log that cannot be read makes only its own table broken."""
    outcome = project.outcomes.get(node.id)
    log = project.storage_log(node)
    try:
        return _built(project, node, log, staleness, target, now, outcome)
    except LogUnreadable as failure:
        return TableStatus(node, BROKEN, f"{failure}: {REBUILT}", target=target, last_run=outcome)


def _built(
    project: Project,
    node: Node,
    log: DeltaLog,
    staleness: Staleness,
    target: LagTarget,
    now: int,
    outcome: Outcome | None,
) -> TableStatus:
    stamped = last_stamp(log)
    definition = metadata_at(log, log.latest) if log.exists else None
    properties = definition.properties if definition is not None else {}
    if stamped is None or RETIRED in properties:
        message = outcome.message if outcome is not None and outcome.failed else ""
        return TableStatus(node, FAILED if message else NEVER, message, target=target, last_run=outcome)
    unread = staleness.of(stamped)
    lag = unread.lag(now)
    suspension = project.memory.suspension(*node.relation)
    errors = unforgiven_errors(definition, stamped, suspension)
    suspended = errors > 0 and properties.get(STATUS) == SUSPENDED_VALUE
    state, detail = _disturbed(log, stamped) or _state(unread, lag, target)
    if outcome is not None and outcome.failed and (outcome.at is None or outcome.at >= stamped.commit.committed_at):
        state, detail, errors = FAILED, outcome.message, max(errors, 1)
    if suspended:
        state, detail = (
            SUSPENDED,
            (
                f"Suspended after {errors} errors in a row: an edit of the model's SELECT, repaired data with "
                f"--vars '{{trickle_force: true}}', or `dbt-trickle resume {node.name}` lifts it."
            ),
        )
    if suspension.suspended_since is not None:
        state, suspended = SUSPENDED, True
        detail = f"By hand, since {iso(suspension.suspended_since)}: `dbt-trickle resume {node.name}` lifts it."
    size, parts = stored_size_at(log, log.latest), _arrangements(project, node, stamped)
    return TableStatus(node, state, detail, stamped, unread, lag, target, size, errors, suspended, outcome, parts)


def _arrangements(project: Project, node: Node, stamped: StampedCommit) -> dict[str, StoredSize]:
    """Those that the last refresh read, as far as their logs can be found."""
    names = arrangements_in(stamped.stamp, node.relation)
    logs = {name[-1]: project.source_log(".".join(name)) for name in names}
    return {name: stored_size_at(log, log.latest) for name, log in sorted(logs.items()) if log is not None}


def _disturbed(log: DeltaLog, stamped: StampedCommit) -> tuple[str, str] | None:
    """State and detail if the storage is damaged or another writer changed it, else None."""
    damage = damage_in_log(log) or damage_in_files(log)
    if damage:
        return BROKEN, f"{damage}: {REBUILT}"
    change = change_by_others(log, stamped)
    if change is None:
        return None
    return CHANGED, f"Version {change.version} of the storage is a {change.operation} by another writer: {REBUILT}"


def _state(unread: UnreadChanges, lag: int | None, target: LagTarget) -> tuple[str, str]:
    if unread.since is not None:
        late = lag is not None and target.milliseconds is not None and lag > target.milliseconds
        return LATE if late else BEHIND, f"{unread.source} changed and has not been read since."
    if unread.unknown:
        names = ", ".join(unread.unknown)
        return UNKNOWN, f"Whether {names} changed since then cannot be determined from logs."
    return FRESH, ""
