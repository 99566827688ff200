"""Instants as literals: what a reading of the clock is worth at a refresh, in the session's time zone."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from sqlglot import exp

from trickle.errors import InvalidView
from trickle.plan.clock import ClockCall, clock_call_of
from trickle.sql.build import cast, integer, string

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_OFFSET = re.compile(r"(?:UTC|GMT|UT)?([+-])(\d{1,2})(?::?(\d{2}))?")


@dataclass(frozen=True)
class Instants:
    """The two instants of one refresh, in epoch milliseconds, and the zone in which dates begin and end."""

    now: int
    """When it ran: what conditions compare with."""
    data: int
    """What its rows stand for: what is shown."""
    zone: str

    def literal(self, reading: ClockCall) -> exp.Expr:
        """The reading's value as a typed literal."""
        instant = self.data if reading.shown else self.now
        local = (EPOCH + timedelta(milliseconds=instant)).astimezone(zone_of(self.zone))
        match reading.name:
            case "current_date":
                return cast(string(local.strftime("%Y-%m-%d")), "date")
            case "localtimestamp":
                return cast(string(_clock_face(local)), "timestamp_ntz")
            case "unix_timestamp":
                return cast(integer(instant // 1000), "bigint")
            case _:
                # The offset says which of two equal clock faces is meant when the clocks are put back.
                return cast(string(_clock_face(local) + _offset(local)), "timestamp")


@dataclass(frozen=True)
class Clock:
    """The instants of the last refresh and of this one."""

    before: Instants
    after: Instants

    def literal(self, reading: ClockCall) -> exp.Expr:
        return (self.before if reading.before else self.after).literal(reading)

    def changed_calls(self, clock_calls: Collection[ClockCall]) -> frozenset[ClockCall]:
        """Those that have another value now: the date has not when it is still the same day."""
        return frozenset(one for one in clock_calls if self.before.literal(one) != self.after.literal(one))


def placed(tree: exp.Query, clock: Clock) -> exp.Query:
    """The query with a literal for every reading."""

    def place(node: exp.Expr) -> exp.Expr:
        found = clock_call_of(node)
        return node if found is None else clock.literal(found)

    tree.transform(place, copy=False)
    return tree


def zone_of(name: str) -> tzinfo:
    """The session's time zone: an offset, or a region whose clocks are put forward and back."""
    found = _OFFSET.fullmatch(name)
    if found:
        size = timedelta(hours=int(found[2]), minutes=int(found[3] or 0))
        return timezone(size if found[1] == "+" else -size)
    if name.upper() in ("Z", "UTC", "GMT", "UT"):
        return timezone.utc
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise InvalidView(
            f"the time zone {name} is not known to Python", remedy="Name a region, such as Europe/Vienna, or an offset."
        ) from error


def _clock_face(local: datetime) -> str:
    return local.strftime("%Y-%m-%d %H:%M:%S.") + f"{local.microsecond // 1000:03d}"


def _offset(local: datetime) -> str:
    text = local.strftime("%z")
    return f"{text[:3]}:{text[3:5]}"
