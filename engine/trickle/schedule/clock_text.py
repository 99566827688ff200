"""Instants as text in a time zone."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from trickle.schedule.cron import EPOCH


def show_instant(instant: int, zone: str, seen_from: int | None = None) -> str:
    """`12:05` on the day of `seen_from`, `2026-11-20 03:00` on another; seconds only when there are some."""
    moment = _local(instant, zone)
    clock = f"{moment:%H:%M}" if moment.second == 0 else f"{moment:%H:%M:%S}"
    if seen_from is not None and _local(seen_from, zone).date() == moment.date():
        return clock
    return f"{moment:%Y-%m-%d} {clock}"


def iso_instant(instant: int) -> str:
    """For machines: `2026-11-20T03:00:00+00:00`."""
    return (EPOCH + timedelta(milliseconds=instant // 1000 * 1000)).isoformat()


def _local(instant: int, zone: str) -> datetime:
    return (EPOCH + timedelta(milliseconds=instant)).astimezone(timezone.utc if zone == "UTC" else ZoneInfo(zone))
