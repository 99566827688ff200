"""Schedules: each is a sequence of slots, instants in epoch milliseconds. Each refresh takes a later slot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Union

from trickle.schedule.cron import first_after, last_until
from trickle.schedule.duration import show_duration
from trickle.schedule.every import Every
from trickle.schedule.target_lag import TargetLag


@dataclass(frozen=True)
class Cron:
    """At the instants a cron expression names in a time zone."""

    expression: str
    zone: str

    def newest(self, instant: int) -> Optional[int]:
        return last_until(self.expression, self.zone, instant)

    def next(self, instant: int) -> Optional[int]:
        return first_after(self.expression, self.zone, instant)

    def target(self, instant: int) -> Optional[int]:
        """From the slot before `instant` to the one after it."""
        before, after = self.newest(instant), self.next(instant)
        return None if before is None or after is None else after - before

    def __str__(self) -> str:
        return self.expression if self.zone == "UTC" else f"{self.expression} ({self.zone})"


@dataclass(frozen=True)
class OnUpdate:
    """Whenever a source has changed, but once in each period of `at_most_every`."""

    at_most_every: int

    def newest(self, instant: int) -> int:
        return instant // self.at_most_every * self.at_most_every

    def next(self, instant: int) -> int:
        return self.newest(instant) + self.at_most_every

    def target(self, instant: int) -> int:
        return self.at_most_every

    def __str__(self) -> str:
        return f"on update, at most every {show_duration(self.at_most_every)}"


@dataclass(frozen=True)
class EveryRun:
    """Due at every run of dbt: no schedule, or `on_update` without a limit. A run without changes writes nothing."""

    on_update: bool = False

    def newest(self, instant: int) -> int:
        return instant

    def next(self, instant: int) -> None:
        return None

    def target(self, instant: int) -> None:
        return None

    def __str__(self) -> str:
        return "on update" if self.on_update else "every run"


@dataclass(frozen=True)
class CombinedSchedule:
    """Due when any of several schedules is: the schedule of a `calculated` table."""

    members: tuple[Timed, ...]

    def newest(self, instant: int) -> Optional[int]:
        return max((slot for member in self.members if (slot := member.newest(instant)) is not None), default=None)

    def next(self, instant: int) -> Optional[int]:
        return min((slot for member in self.members if (slot := member.next(instant)) is not None), default=None)

    def target(self, instant: int) -> Optional[int]:
        return min((lag for member in self.members if (lag := member.target(instant)) is not None), default=None)

    def __str__(self) -> str:
        return f"calculated: {', '.join(str(member) for member in self.members)}"


@dataclass(frozen=True)
class Calculated:
    """The configured schedule `calculated`: that of the tables which read it."""

    def __str__(self) -> str:
        return "calculated"


Timed = Union[TargetLag, Every, Cron, OnUpdate]
Schedule = Union[TargetLag, Every, Cron, OnUpdate, EveryRun, CombinedSchedule]
ConfiguredSchedule = Union[TargetLag, Every, Cron, OnUpdate, EveryRun, Calculated]
"""The schedules a model's config may set."""


def combine(schedules: tuple[Union[Timed, EveryRun], ...]) -> Schedule:
    """The tightest schedule that serves all. The slots of a target lag include those of longer ones, so the shortest
    suffices; likewise an `every` for its multiples."""
    timed = {member for member in schedules if not isinstance(member, EveryRun)}
    if not timed or len(timed) < len(set(schedules)):
        return EveryRun()
    lags = [member for member in timed if isinstance(member, TargetLag)]
    grids = [member for member in timed if isinstance(member, Every)]
    others: list[Timed] = [member for member in timed if isinstance(member, (Cron, OnUpdate))]
    others += [member for member in grids if not any(other != member and other.divides(member) for other in grids)]
    tightest: list[Timed] = [min(lags, key=lambda member: member.duration)] if lags else []
    return CombinedSchedule((*tightest, *sorted(others, key=str)))


def members(schedule: Schedule) -> tuple[Union[Timed, EveryRun], ...]:
    """The members of a combined schedule, or the schedule itself."""
    return schedule.members if isinstance(schedule, CombinedSchedule) else (schedule,)
