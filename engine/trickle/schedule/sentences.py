"""A schedule as a sentence for users: when a table is refreshed, and why."""

from __future__ import annotations

from typing import Union

from trickle.schedule.clock_text import show_instant
from trickle.schedule.duration import show_duration
from trickle.schedule.every import Every
from trickle.schedule.promise import ASSUMED
from trickle.schedule.slots import CombinedSchedule, Cron, EveryRun, OnUpdate, Schedule, Timed
from trickle.schedule.target_lag import TargetLag
from trickle.schedule.ticks import MissedTarget

SHOWN_SLOTS = 3


def schedule_sentence(schedule: Schedule, now: int, zone: str) -> str:
    """What the schedule promises, and its next slots."""
    if isinstance(schedule, CombinedSchedule):
        parts = "; ".join(_promise_of(member, now, zone) for member in schedule.members)
        return f"As those that read it: {parts}."
    text = _promise_of(schedule, now, zone)
    return f"{text[0].upper()}{text[1:]}."


def missed_target_sentence(missed: MissedTarget, scheduler: str = "cron") -> str:
    """Why a target lag cannot be kept, and the smallest that can."""
    takes = "is taken to last" if missed.table.takes is None else "lasts up to"
    lasts = show_seconds(ASSUMED if missed.table.takes is None else missed.table.takes)
    smallest = (
        "none can be"
        if missed.smallest is None
        else f"the smallest that can is {show_duration(missed.smallest.duration)}"
    )
    return (
        f"{missed.table.name}: a target lag of {show_duration(missed.target.duration)} cannot be kept by {scheduler}, "
        f"because a refresh {takes} {lasts} and has to wait for a tick and for other runs; {smallest}."
    )


def show_seconds(milliseconds: int) -> str:
    """A duration in whole seconds, rounded up."""
    return show_duration(max(1, -(-milliseconds // 1000)) * 1000)


def _promise_of(schedule: Union[Timed, EveryRun], now: int, zone: str) -> str:
    match schedule:
        case TargetLag():
            return (
                f"never older than {show_duration(schedule.duration)}: refreshed at least every "
                f"{show_duration(schedule.longest_gap)}, which leaves "
                f"{show_duration(schedule.duration - schedule.longest_gap)} "
                "for the wait for a run and for the run itself"
            )
        case Every():
            return (
                f"one refresh every {show_duration(schedule.duration)} of the clock and no more: at "
                f"{_following(schedule, now, schedule.zone)} and so on"
            )
        case Cron():
            return f"at the slots of {schedule}: {_following(schedule, now, schedule.zone)} and so on"
        case OnUpdate():
            return (
                "whenever a run finds that a source has changed, but at most once in "
                f"{show_duration(schedule.at_most_every)}"
            )
        case EveryRun(on_update=True):
            return "at every run; one that finds no source changed writes nothing"
        case _:
            return "at every run"


def _following(schedule: Union[Every, Cron], now: int, zone: str) -> str:
    shown: list[str] = []
    slot = schedule.next(now)
    while slot is not None and len(shown) < SHOWN_SLOTS:
        shown.append(show_instant(slot, zone, now))
        slot = schedule.next(slot)
    return ", ".join(shown) or "no instant"
