"""How each stream table of a project stands: one record a table, made from logs, the manifest and the last run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from dbt.adapters.trickle.history.delta_files import DeltaLog, LogUnreadable, StampedCommit, last_stamp
from dbt.adapters.trickle.history.delta_files.snapshot import metadata_at
from dbt.adapters.trickle.history.delta_files.thorough import damage_in_files, damage_in_log
from dbt.adapters.trickle.monitoring.short_numbers import iso
from dbt.adapters.trickle.monitoring.staleness import Behind, Staleness
from dbt.adapters.trickle.monitoring.stored_size import StoredSize, stored_size_at
from dbt.adapters.trickle.project.nodes import Node
from dbt.adapters.trickle.project.outcome import Outcome
from dbt.adapters.trickle.project.project import Project
from dbt.adapters.trickle.scheduling.memory import standing_errors
from dbt.adapters.trickle.scheduling.suspensions import Suspensions
from dbt.adapters.trickle.storages.stamp_fields import BECAUSE, MAINTAINED, MODE
from dbt.adapters.trickle.storages.storage_state import change_by_others
from dbt.adapters.trickle.storages.table_properties import RETIRED, STATUS
from trickle import MESSAGE

NEVER, FRESH, BEHIND, LATE, UNKNOWN = "never built", "fresh", "behind", "late", "unknown"
FAILED, SUSPENDED, BROKEN, CHANGED = "failed", "suspended", "broken", "changed"
STATES = (FRESH, BEHIND, LATE, UNKNOWN, NEVER, FAILED, SUSPENDED, CHANGED, BROKEN)
SUSPENDED_VALUE = "suspended"
REMADE = "the next run makes the table again."


@dataclass(frozen=True)
class LagTarget:
    """What a table was asked for: its schedule in words, and how old its rows may become by it."""

    schedule: str = ""
    words: str = ""
    """The schedule in a sentence."""
    milliseconds: int | None = None


Targets = Callable[[Node, int], LagTarget]
"""The target of a node at an instant."""


@dataclass(frozen=True)
class TableStatus:
    """A stream table at the moment somebody asked."""

    node: Node
    state: str
    detail: str = ""
    """A sentence where the state needs one."""
    stamped: StampedCommit | None = None
    behind: Behind = field(default_factory=Behind)
    lag: int | None = None
    """Milliseconds its rows are behind its sources; None when it was never built, or nobody can tell."""
    target: LagTarget = field(default_factory=LagTarget)
    held: StoredSize | None = None
    errors: int = 0
    """Refreshes in a row that failed."""
    suspended: bool = False
    last_run: Outcome | None = None

    @property
    def mode(self) -> str:
        """`refresh_mode` as the last refresh was told, or as the project says now."""
        stamped = self._told(MODE)
        return str(stamped or self.node.config.get("refresh_mode") or "auto")

    @property
    def maintained(self) -> str:
        """`incremental`, `recompute`, or '' before the first refresh that said so."""
        return str(self._told(MAINTAINED) or "")

    @property
    def because(self) -> Mapping[str, str]:
        """Why the query has no incremental form: code → sentence."""
        found = self._told(BECAUSE)
        return {str(code): str(said) for code, said in found.items()} if isinstance(found, Mapping) else {}

    @property
    def said(self) -> str:
        return str(self._told(MESSAGE) or "")

    def _told(self, mark: str) -> object:
        return self.stamped.stamp.extra.get(mark) if self.stamped else None


def statuses(project: Project, targets: Targets, now: int) -> list[TableStatus]:
    """Every stream table, in order of name."""
    staleness = Staleness(project.source_log)
    return [status_of(project, node, staleness, targets(node, now), now) for node in project.stream_tables]


def status_of(project: Project, node: Node, staleness: Staleness, target: LagTarget, now: int) -> TableStatus:
    """One table. A log that cannot be read makes its own table broken and no other."""
    outcome = project.outcomes.get(node.id)
    log = project.storage_log(node)
    try:
        return _built(project, node, log, staleness, target, now, outcome)
    except LogUnreadable as failure:
        return TableStatus(node, BROKEN, f"{failure}: {REMADE}", target=target, last_run=outcome)


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
        said = outcome.message if outcome is not None and outcome.failed else ""
        return TableStatus(node, FAILED if said else NEVER, said, target=target, last_run=outcome)
    behind = staleness.of(stamped)
    lag = behind.lag(now)
    ruling = Suspensions(project.warehouse.rulings).of(*node.relation)
    errors = standing_errors(definition, stamped, ruling)
    suspended = errors > 0 and properties.get(STATUS) == SUSPENDED_VALUE
    state, detail = _disturbed(log, stamped) or _state(behind, lag, target)
    if outcome is not None and outcome.failed and (outcome.at is None or outcome.at >= stamped.commit.committed_at):
        state, detail, errors = FAILED, outcome.message, max(errors, 1)
    if suspended:
        state, detail = (
            SUSPENDED,
            (
                f"Not tried any more after {errors} errors in a row: an edit of the model's SELECT, repaired data with "
                f"--vars '{{trickle_force: true}}', or `dbt-trickle resume {node.name}` lifts it."
            ),
        )
    if ruling.suspended_since is not None:
        state, suspended = SUSPENDED, True
        detail = f"By hand, since {iso(ruling.suspended_since)}: `dbt-trickle resume {node.name}` lifts it."
    held = stored_size_at(log, log.latest)
    return TableStatus(node, state, detail, stamped, behind, lag, target, held, errors, suspended, outcome)


def _disturbed(log: DeltaLog, stamped: StampedCommit) -> tuple[str, str] | None:
    """What somebody else has done to the storage; None where it is as the last refresh left it."""
    found = damage_in_log(log) or damage_in_files(log)
    if found:
        return BROKEN, f"{found}: {REMADE}"
    change = change_by_others(log, stamped)
    if change is None:
        return None
    return CHANGED, f"Version {change.version} of the storage is a {change.operation} by somebody else: {REMADE}"


def _state(behind: Behind, lag: int | None, target: LagTarget) -> tuple[str, str]:
    if behind.since is not None:
        late = lag is not None and target.milliseconds is not None and lag > target.milliseconds
        return LATE if late else BEHIND, f"{behind.source} changed and was not read since."
    if behind.unknown:
        names = ", ".join(behind.unknown)
        return UNKNOWN, f"Whether {names} changed since cannot be told from logs."
    return FRESH, ""
