"""Instants as literals: the value of a clock call at a refresh, in the session's time zone."""

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
    """The two instants of one refresh, in epoch milliseconds, and the session's time zone."""

    now: int
    """The instant of the run, which conditions use."""
    data: int
    """The instant of the data, which shown values use."""
    zone: str

    def literal(self, clock_call: ClockCall) -> exp.Expr:
        """The value of a clock call as a typed literal."""
        instant = self.data if clock_call.shown else self.now
        local = (EPOCH + timedelta(milliseconds=instant)).astimezone(zone_of(self.zone))
        match clock_call.name:
            case "current_date":
                return cast(string(local.strftime("%Y-%m-%d")), "date")
            case "localtimestamp":
                return cast(string(_clock_face(local)), "timestamp_ntz")
            case "unix_timestamp":
                return cast(integer(instant // 1000), "bigint")
            case _:
                # The offset distinguishes the two equal wall-clock times when the clocks are put back.
                return cast(string(_clock_face(local) + _offset(local)), "timestamp")


@dataclass(frozen=True)
class Clock:
    """The instants of the last refresh and of this one."""

    before: Instants
    after: Instants

    def literal(self, clock_call: ClockCall) -> exp.Expr:
        return (self.before if clock_call.before else self.after).literal(clock_call)

    def changed_calls(self, clock_calls: Collection[ClockCall]) -> frozenset[ClockCall]:
        """The calls whose value differs between the two refreshes; a date differs only on another day."""
        return frozenset(call for call in clock_calls if self.before.literal(call) != self.after.literal(call))


def with_clock_literals(tree: exp.Query, clock: Clock) -> exp.Query:
    """The query with a literal for every clock call."""

    def literal(node: exp.Expr) -> exp.Expr:
        call = clock_call_of(node)
        return node if call is None else clock.literal(call)

    tree.transform(literal, copy=False)
    return tree


def zone_of(name: str) -> tzinfo:
    """A time zone by its name: an offset, or a region."""
    offset = _OFFSET.fullmatch(name)
    if offset:
        size = timedelta(hours=int(offset[2]), minutes=int(offset[3] or 0))
        return timezone(size if offset[1] == "+" else -size)
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
