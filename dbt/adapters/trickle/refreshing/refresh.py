"""One refresh under way: what was decided, and what has been done of it. Macros read it; Python decides."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dbt.adapters.trickle.history.delta_files import DeltaLog, StampedCommit
from dbt.adapters.trickle.refreshing.response import ExecutedStatement
from dbt.adapters.trickle.relation import TrickleRelation
from dbt.adapters.trickle.storages.constraints import CheckConstraint
from dbt.adapters.trickle.storages.facade import Facade
from dbt.adapters.trickle.storages.storage_state import damaged
from dbt.adapters.trickle.storages.table_properties import (
    CONSTRAINTS,
    FACADE,
    QUERY,
    STORAGE_OF,
    TableChange,
    TableProperties,
)
from dbt.adapters.trickle.versions.choice import VersionChoice
from trickle import DATA_KINDS, Kind, Part, Probe, Reason, RefreshPlan, Stamp, Statement

UNREADABLE_FILE = "FAILED_READ_FILE"
"""What Spark says of a file that is gone, or is not what its name says."""

UNREADABLE_FILES = "FAILED_TO_CREATE_PLAN_FOR_DIRECT_QUERY"
"""The same of files that are read by their paths, none of which it names."""


@dataclass(frozen=True)
class Decision:
    """Everything a refresh needs to know before its first statement."""

    relation: TrickleRelation
    storage: TrickleRelation
    log: DeltaLog
    plan: RefreshPlan
    previous: Stamp | None
    probes: Mapping[str, Probe]
    reading: VersionChoice
    """At which versions the sources are read, and what the rows then stand for."""
    invocation: str
    query: str
    layout: TableProperties
    change: TableChange
    facade: Facade
    facade_stands: bool
    """Whether the view in place is ours and as it should be."""
    unreadable: bool
    """Whether the storage is so damaged that Delta cannot replace it."""
    pinned_facade: str
    """The SELECT that goes on showing the present rows while the storage is replaced; '' where nothing is shown."""
    constraints: str
    """Fingerprint of the checks; '' when there are none."""
    checks: tuple[CheckConstraint, ...]
    unenforced: tuple[str, ...]
    """A sentence for each constraint of the contract that storage does not enforce."""
    properties: Mapping[str, str]
    """The storage's properties as they are."""
    not_applied: Reason | None
    """The change of the model that `on_configuration_change: continue` leaves out."""
    restored: tuple[Reason, ...]
    """What a hook had set and was put back."""
    storage_elsewhere: bool
    rows_before: int | None

    @property
    def stamp(self) -> Stamp | None:
        """What the data commit carries: the plan's own, as it was planned."""
        return self.plan.stamp


@dataclass
class Refresh:
    """A decision and its progress; the only thing here that changes is the record of what was run."""

    decision: Decision
    executed: list[ExecutedStatement] = field(default_factory=list)
    _script: list[str] = field(default_factory=list)
    committed: StampedCommit | None = None
    """The commit of the data statement, once it is proved to be ours."""
    started: float = 0.0
    again: Callable[[Reason], Decision] | None = None
    """Decides anew when a statement finds the storage damaged; None once that was done."""
    starts_over: bool = False
    """Whether it was: what was decided first is not done any more."""

    @property
    def storage(self) -> TrickleRelation:
        return self.decision.storage

    @property
    def plan(self) -> RefreshPlan:
        return self.decision.plan

    @property
    def facade(self) -> Facade:
        return self.decision.facade

    @property
    def layout(self) -> TableProperties:
        return self.decision.layout

    @property
    def change(self) -> TableChange:
        """What to ALTER: nothing on a rebuild, which lays everything out anew."""
        return TableChange() if self.creates else self.decision.change

    @property
    def data_statements(self) -> list[Statement]:
        return [statement for statement in self.plan.statements if statement.kind in DATA_KINDS]

    @property
    def one_task(self) -> bool:
        return all(statement.one_task for statement in self.data_statements)

    @property
    def parts(self) -> list[Part]:
        """What is computed before the data is written."""
        return [part for statement in self.data_statements for part in statement.parts]

    @property
    def creates(self) -> bool:
        return any(statement.kind is Kind.CREATE for statement in self.plan.statements)

    @property
    def drops_first(self) -> bool:
        """Readers meet a gap: Delta replaces no table in another folder, and no clustered by a partitioned one."""
        decision = self.decision
        return self.creates and (decision.storage_elsewhere or decision.unreadable or not decision.change.replaceable)

    @property
    def replaces_facade(self) -> bool:
        """A rebuild that keeps columns and promises keeps the view: it reads the new storage as it read the old."""
        return not self.decision.facade_stands or (self.creates and self.has_constraints)

    @property
    def warning(self) -> str:
        """What dbt warns of: something was asked for and is not done. Begins as dbt's own warning does."""
        kept, relation = self.decision.not_applied, self.decision.relation
        said = [f"{relation}: {one.sentence()}" for one in self.decision.restored]
        if kept is not None:
            said.insert(
                0,
                "Configuration changes were identified and `on_configuration_change` was set to `continue` "
                f"for `{relation}`: {kept.sentence()}",
            )
        return " ".join(said)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Everything that dbt warns of; of constraints that nothing enforces when the table is made."""
        ignored = self.decision.unenforced if self.creates else ()
        return tuple(said for said in (self.warning, *(f"{self.decision.relation}: {one}" for one in ignored)) if said)

    @property
    def checks(self) -> tuple[CheckConstraint, ...]:
        return self.decision.checks

    @property
    def has_constraints(self) -> bool:
        return bool(self.decision.constraints)

    @property
    def pins_facade(self) -> bool:
        """Readers keep the old rows until the new view stands, when the old view cannot read the new storage."""
        if not self.creates or self.drops_first or not self.decision.pinned_facade:
            return False
        return not self.decision.facade_stands or self.has_constraints

    @property
    def create_properties(self) -> dict[str, str]:
        kept = {} if self.replaces_facade else self._markers
        return {**self.layout.create_properties, QUERY: self.decision.query, **self._owner, **kept}

    @property
    def markers(self) -> dict[str, str]:
        """Written last: they say that view and constraints stand. A rebuild has wiped what the log said before."""
        present = self._owner if self.creates else self.decision.properties
        return {name: value for name, value in self._markers.items() if present.get(name) != value}

    @property
    def _owner(self) -> dict[str, str]:
        storage = self.decision.storage
        return {STORAGE_OF: f"{storage.schema}.{storage.identifier}".lower()}

    @property
    def _markers(self) -> dict[str, str]:
        markers = {FACADE: self.facade.fingerprint, **self._owner}
        if self.has_constraints:
            markers[CONSTRAINTS] = self.decision.constraints
        return markers

    @property
    def headline(self) -> str:
        """One line for the console, when something out of the ordinary is done."""
        return f"{self.plan.action.value} ({self.plan.reason.code}): {self.plan.reason.sentence()}"

    @property
    def script(self) -> str:
        return "\n\n".join(self._script) + "\n" if self._script else f"-- {self.headline}\n"

    def goes_another_way(self, failure: Exception) -> bool:
        """Whether the statement failed because it cannot build upon what is stored, and there is something else."""
        otherwise = self.decision.plan.otherwise
        plan = otherwise(str(failure)) if otherwise is not None else None
        if plan is None:
            return False
        self.decision = replace(self.decision, plan=plan)
        return True

    def starts_anew(self, failure: Exception) -> bool:
        """Whether the statement failed because a file of the storage cannot be read; then all of it is made again."""
        found = unreadable_file(str(failure), self.decision.log.path.name, self.data_statements)
        if not found or self.again is None or self.creates:
            return False
        self.decision, self.again, self.starts_over = self.again(damaged(found)), None, True
        return True

    def begin_again(self) -> None:
        """What was decided anew is what is done from here on."""
        self.starts_over = False

    def announce(self, why: str, sql: str) -> None:
        """Add a statement to the script before it runs: when it fails, it is what one wants to see."""
        if not self._script:
            self._script.append(f"-- {self.headline}")
        self._script.append(f"-- {why}\n{sql.strip()};")


def unreadable_file(failure: str, folder: str, statements: Sequence[Statement]) -> str:
    """Which file of the storage's folder Spark could not read, in words; '' where it failed for another reason."""
    if UNREADABLE_FILE in failure:
        named = re.search(rf"/[^\s'\"]*/{re.escape(folder)}/[^\s'\"]*[^\s'\".]", failure)
        return f"Spark cannot read {named[0]}" if named else ""
    reads_files = any(f"/{folder}/" in statement.sql for statement in statements)
    return "Spark cannot read one of its files" if UNREADABLE_FILES in failure and reads_files else ""
