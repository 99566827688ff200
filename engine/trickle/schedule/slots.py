"""Schedules: each is a sequence of slots, instants in epoch milliseconds. Every refresh takes a later one."""

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
    """Whenever a source has changed, but once in each stretch of `at_most_every`, which is never cut short."""

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
    """Due whenever dbt runs it: no schedule, or `on_update` without a limit. A check that finds nothing new is free."""

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
    """Due when any of several schedules is: what a table owes to those that read it."""

    members: tuple[Timed, ...]

    def newest(self, instant: int) -> Optional[int]:
        return max((slot for one in self.members if (slot := one.newest(instant)) is not None), default=None)

    def next(self, instant: int) -> Optional[int]:
        return min((slot for one in self.members if (slot := one.next(instant)) is not None), default=None)

    def target(self, instant: int) -> Optional[int]:
        return min((lag for one in self.members if (lag := one.target(instant)) is not None), default=None)

    def __str__(self) -> str:
        return f"calculated: {', '.join(str(one) for one in self.members)}"


@dataclass(frozen=True)
class Calculated:
    """What a table says that leaves its schedule to those that read it."""

    def __str__(self) -> str:
        return "calculated"


Timed = Union[TargetLag, Every, Cron, OnUpdate]
Schedule = Union[TargetLag, Every, Cron, OnUpdate, EveryRun, CombinedSchedule]
ConfiguredSchedule = Union[TargetLag, Every, Cron, OnUpdate, EveryRun, Calculated]
"""What a model's config may say."""


def combine(schedules: tuple[Union[Timed, EveryRun], ...]) -> Schedule:
    """The tightest schedule that serves all. The slots of target lags lie inside each other, so one stands for all; so
    does one `every` for its multiples."""
    timed = {one for one in schedules if not isinstance(one, EveryRun)}
    if not timed or len(timed) < len(set(schedules)):
        return EveryRun()
    lags = [one for one in timed if isinstance(one, TargetLag)]
    grids = [one for one in timed if isinstance(one, Every)]
    others: list[Timed] = [one for one in timed if isinstance(one, (Cron, OnUpdate))]
    others += [one for one in grids if not any(other != one and other.meets(one) for other in grids)]
    tightest: list[Timed] = [min(lags, key=lambda one: one.duration)] if lags else []
    return CombinedSchedule((*tightest, *sorted(others, key=str)))


def members(schedule: Schedule) -> tuple[Union[Timed, EveryRun], ...]:
    """A schedule, or the several that one is made of."""
    return schedule.members if isinstance(schedule, CombinedSchedule) else (schedule,)
