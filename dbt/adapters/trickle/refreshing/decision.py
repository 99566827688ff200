"""What was decided about one model: its plan, and what the report and dbt's warnings say beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dbt.adapters.trickle.history.delta_files import DeltaLog
from dbt.adapters.trickle.relation import TrickleRelation
from dbt.adapters.trickle.storages.facade import Facade
from dbt.adapters.trickle.versions.choice import VersionChoice
from trickle import Name, Probe, Reason, RefreshPlan, Stamp, Target
from trickle.apply.steps import PutView
from trickle.planning.refresh import Situation


@dataclass(frozen=True)
class Decision:
    """Everything a refresh needs to know before its first statement. Nothing of it changes afterwards."""

    relation: TrickleRelation
    storage: TrickleRelation
    log: DeltaLog
    """The storage's history as it was planned on."""
    situation: Situation
    plan: RefreshPlan
    reading: VersionChoice
    """At which versions the sources are read, and what the rows then reflect."""
    invocation: str
    query: str
    facade: Facade
    log_damaged: bool
    """Whether the storage is so damaged that Delta cannot replace it, and its folder must be cleared."""
    unenforced: tuple[str, ...]
    """A sentence for each constraint of the contract that storage does not enforce."""
    not_applied: Reason | None
    """The change of the model that `on_configuration_change: continue` leaves out."""
    restored: tuple[Reason, ...]
    """What a hook had set and was put back."""
    rows_before: int | None
    former_arrangements: tuple[Name, ...] = ()
    """What the table was made from until this refresh: dropped when it has succeeded."""

    @property
    def stamp(self) -> Stamp | None:
        """What the data commit carries."""
        return self.plan.stamp

    @property
    def previous(self) -> Stamp | None:
        return self.situation.state

    @property
    def probes(self) -> Mapping[str, Probe]:
        return self.situation.probes

    @property
    def target(self) -> Target:
        return self.situation.target

    @property
    def checks_contract(self) -> bool:
        """Whether dbt must compare the contract's columns: a table is made, or a view is put up."""
        return self.plan.creates or any(isinstance(step, PutView) for step in self.plan.steps)

    @property
    def warning(self) -> str:
        """What dbt warns of: something was asked for and is not done. Begins as dbt's own warning does."""
        sentences = [f"{self.relation}: {reason.sentence()}" for reason in self.restored]
        if self.not_applied is not None:
            sentences.insert(
                0,
                "Configuration changes were identified and `on_configuration_change` was set to `continue` "
                f"for `{self.relation}`: {self.not_applied.sentence()}",
            )
        return " ".join(sentences)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Everything that dbt warns of; of constraints that nothing enforces when the table is made."""
        ignored = self.unenforced if self.plan.creates else ()
        sentences = (self.warning, *(f"{self.relation}: {sentence}" for sentence in ignored))
        return tuple(sentence for sentence in sentences if sentence)
