"""Cron expressions as sequences of instants, in a time zone. `cronsim` interprets them as Debian's cron does.

A job with a fixed hour that falls into the gap at the change to summer time runs right after it; at the change back it
runs once. Jobs that run several times an hour follow elapsed time.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from functools import lru_cache
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

from trickle.schedule.duration import DAY, MINUTE, SECOND

NAMES = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
LONGEST_GAP = 60 * 366 * DAY
"""A fifth Monday in February comes every 28 years; past twice that, an expression never fires."""

NEVER = "It never fires"

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def expanded(expression: str) -> str:
    """The expression with `@hourly` and the like replaced by their fields, and single blanks."""
    return NAMES.get(expression.strip().lower(), " ".join(expression.split()))


def fault(expression: str) -> str:
    """Why an expression is not valid, or ''."""
    spelt_out = expanded(expression)
    refused = _refused(spelt_out)
    if refused == "Bad day-of-month":
        # The day may be out of range, or only missing in the named months.
        *before, _, weekday = spelt_out.split()
        return refused if _refused(" ".join([*before, "*", weekday])) else NEVER
    if refused:
        return refused
    return "" if first_after(spelt_out, "UTC", 0) is not None else NEVER


def _refused(expression: str) -> str:
    try:
        CronSim(expression, EPOCH)
    except CronSimError as error:
        return str(error)
    return ""


def first_after(expression: str, zone: str, instant: int) -> int | None:
    """The first instant (epoch milliseconds) later than `instant` at which the expression fires."""
    # In an hour that occurs twice, the expression's wall-clock time may be before `instant`.
    return next((slot for slot in _fires(expression, zone, instant) if slot > instant), None)


@lru_cache(maxsize=4096)
def last_until(expression: str, zone: str, instant: int) -> int | None:
    """The last instant at which the expression fires that is not later than `instant`.

    Computed by walking forwards only, so that both directions agree at clock changes: the window before `instant`
    grows until it contains a slot, and is then halved down to the last one.
    """
    back = MINUTE
    while not _fires_in(expression, zone, instant - back, instant):
        back *= 4
        if back > LONGEST_GAP:
            return None
    low, high = instant - back, instant
    while high - low > SECOND:
        middle = (low + high) // 2
        if _fires_in(expression, zone, middle, instant):
            low = middle
        else:
            high = middle
    return first_after(expression, zone, low)


def _fires_in(expression: str, zone: str, after: int, until: int) -> bool:
    slot = first_after(expression, zone, after)
    return slot is not None and slot <= until


def _fires(expression: str, zone: str, instant: int) -> Iterator[int]:
    start = (EPOCH + timedelta(milliseconds=instant // SECOND * SECOND)).astimezone(ZoneInfo(zone))
    for fired in CronSim(expression, start):
        yield round((fired.astimezone(timezone.utc) - EPOCH) / timedelta(milliseconds=1))
