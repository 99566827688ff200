"""Schedules: each is a sequence of slots, instants in epoch milliseconds. Every refresh takes a later one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Union

from trickle.schedule.cron import first_after, last_until
from trickle.schedule.duration import MINUTE, SECOND, show_duration

CANONICAL = 48 * SECOND


def canonical_period(duration: int) -> int:
    """The longest of …, 24, 48, 96, 192, … seconds that is no longer than `duration`.

    Each divides the next, so tables of one DAG are due together whatever their durations are; and being shorter than
    what was asked for, it leaves room for runs that start late.
    """
    period = CANONICAL
    while period * 2 <= duration:
        period *= 2
    while period > duration:
        period //= 2
    return period


@dataclass(frozen=True)
class Every:
    """At least once in `duration`. Slots: the multiples of the canonical period, each put off to the next whole minute.

    Schedulers fire on whole minutes. With slots there too, a run belongs to the same slot however late in its minute it
    starts. Below a minute there is no such grid, and slots are the multiples themselves.
    """

    duration: int

    @property
    def period(self) -> int:
        return canonical_period(self.duration)

    @property
    def grid(self) -> int:
        return MINUTE if self.duration >= MINUTE else 1

    def newest(self, instant: int) -> int:
        return self._slot(self._place(instant))

    def next(self, instant: int) -> int:
        return self._slot(self._place(instant) + 1)

    def target(self, instant: int) -> int:
        """How old the data may become."""
        return self.duration

    def __str__(self) -> str:
        return show_duration(self.duration)

    def _place(self, instant: int) -> int:
        return instant // self.grid * self.grid // self.period

    def _slot(self, place: int) -> int:
        return -(-place * self.period // self.grid) * self.grid


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
class Together:
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


Timed = Union[Every, Cron, OnUpdate]
Schedule = Union[Every, Cron, OnUpdate, EveryRun, Together]
Asked = Union[Every, Cron, OnUpdate, EveryRun, Calculated]
"""What a model's config may say."""


def together(schedules: tuple[Union[Timed, EveryRun], ...]) -> Schedule:
    """The tightest schedule that serves all: canonical slots lie inside each other, so one duration stands for all."""
    if not schedules or any(isinstance(one, EveryRun) for one in schedules):
        return EveryRun()
    durations = [one for one in schedules if isinstance(one, Every)]
    others: set[Timed] = {one for one in schedules if isinstance(one, (Cron, OnUpdate))}
    tightest: list[Timed] = [min(durations, key=lambda one: one.duration)] if durations else []
    return Together((*tightest, *sorted(others, key=str)))
