"""A refresh as data: what is done and why, its steps in order, and the stamp of its commit."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from trickle.apply.steps import Create, NameFiles, Stage, Step, Write
from trickle.catalog.frontier import Stamp
from trickle.errors import Reason


class Action(Enum):
    """What a refresh does, in the words users see."""

    SKIP = "SKIP"
    NO_DATA = "NO_DATA"
    APPEND = "APPEND"
    INCREMENTAL = "INCREMENTAL"
    FULL = "FULL"
    REINITIALIZE = "REINITIALIZE"
    SUSPENDED = "SUSPENDED"


@dataclass(frozen=True)
class RefreshPlan:
    """What to do now, why, and the stamp that goes into the data commit. Final: nothing is added afterwards."""

    action: Action
    reason: Reason
    strategy: str
    steps: tuple[Step, ...] = ()
    """In the order that is safe to be cut off after any of them."""
    stamp: Stamp | None = None
    notes: tuple[Reason, ...] = ()
    """Further reasons worth showing: why parts recompute, what was priced."""
    prices: dict[str, float] = field(default_factory=dict)
    """Strategy → estimated seconds, for the strategies that were compared."""

    @property
    def writes(self) -> tuple[Create | Write, ...]:
        """The steps that write rows. Of several, the last one's commit carries the stamp and is the refresh."""
        return tuple(step for step in self.steps if isinstance(step, (Create, Write)))

    @property
    def stages(self) -> tuple[Stage, ...]:
        return tuple(step for step in self.steps if isinstance(step, Stage))

    @property
    def temporary_names(self) -> tuple[str, ...]:
        """The names that only this plan's statements read."""
        return tuple(step.name for step in self.steps if isinstance(step, (NameFiles, Stage)))

    @property
    def creates(self) -> bool:
        """Whether the storage is made anew."""
        return any(isinstance(step, Create) for step in self.steps)

    @property
    def committing(self) -> Create | Write | None:
        """The step whose commit carries the stamp."""
        writes = self.writes
        return writes[-1] if writes else None

    @property
    def is_planned_once(self) -> bool:
        """Whether Spark has nothing to learn while any of its statements runs."""
        return all(isinstance(step, Write) and step.planned_once for step in self.writes)
