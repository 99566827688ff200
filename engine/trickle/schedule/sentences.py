"""A schedule in a sentence, for people who ask when a table is refreshed and why."""

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
    """What the schedule promises, and when it refreshes."""
    if isinstance(schedule, CombinedSchedule):
        parts = "; ".join(_plainly(one, now, zone) for one in schedule.members)
        return f"As those that read it: {parts}."
    said = _plainly(schedule, now, zone)
    return f"{said[0].upper()}{said[1:]}."


def missed_target_sentence(one: MissedTarget, asker: str = "cron") -> str:
    """What cannot be promised, and what can."""
    takes = "is taken to last" if one.table.takes is None else "lasts up to"
    lasts = show_seconds(ASSUMED if one.table.takes is None else one.table.takes)
    smallest = (
        "none can be" if one.smallest is None else f"the smallest that can is {show_duration(one.smallest.duration)}"
    )
    return (
        f"{one.table.name}: a target lag of {show_duration(one.target.duration)} cannot be kept by {asker}, because a "
        f"refresh {takes} {lasts} and has to wait for a tick and for other runs; {smallest}."
    )


def show_seconds(milliseconds: int) -> str:
    """Whole seconds, rounded up."""
    return show_duration(max(1, -(-milliseconds // 1000)) * 1000)


def _plainly(schedule: Union[Timed, EveryRun], now: int, zone: str) -> str:
    match schedule:
        case TargetLag():
            return (
                f"never older than {show_duration(schedule.duration)}: refreshed at least every "
                f"{show_duration(schedule.apart)}, which leaves {show_duration(schedule.duration - schedule.apart)} "
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
