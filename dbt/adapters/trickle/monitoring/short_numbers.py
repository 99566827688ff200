"""Numbers for people: short, and of the same width for the same magnitude."""

from __future__ import annotations

from datetime import datetime, timezone
from zoneinfo import ZoneInfo

NONE = "·"
"""Stands for a missing value."""

STEPS = ((86_400_000, "d"), (3_600_000, "h"), (60_000, "m"), (1_000, "s"))


def span(milliseconds: int | None, parts: int = 2) -> str:
    """The largest units: `0`, `45s`, `3m 20s`, `2h`, `5d 4h`; from ten of a unit on, smaller units are left out."""
    if milliseconds is None:
        return "?"
    words: list[str] = []
    for length, unit in STEPS:
        whole, milliseconds = divmod(milliseconds, length)
        if words and not whole:
            break
        if whole:
            words.append(f"{whole}{unit}")
        if words and (len(words) == parts or whole >= 10):
            break
    return " ".join(words) or "0"


def size(count: int | None) -> str:
    """`0 B`, `812 B`, `4.1 kB`, `31 MB`."""
    return NONE if count is None else _scaled(count, ("B", "kB", "MB", "GB", "TB"), " ")


def rows(count: int | None) -> str:
    """Whole up to a hundred thousand: `375`, `6,334`, `2.0M`."""
    if count is None:
        return NONE
    return f"{count:,}" if count < 100_000 else _scaled(count, ("", "k", "M", "G", "T"), "")


def _scaled(count: int, units: tuple[str, ...], gap: str) -> str:
    power = 0
    while count / 1000**power >= 999.5 and power + 1 < len(units):
        power += 1
    value = count / 1000**power
    text = f"{value:.1f}" if power and value < 9.95 else f"{value:.0f}"
    return f"{text}{gap}{units[power]}"


def share(part: float | None) -> str:
    return NONE if part is None else f"{part:.0%}"


def moment(instant: int | None, zone: str) -> str:
    """`2026-11-19 01:40:05` in the profile's time zone."""
    return NONE if instant is None else f"{_local(instant, zone):%Y-%m-%d %H:%M:%S}"


def iso(instant: int | None) -> str | None:
    """For programs, in UTC: `2026-11-19T01:40:05.123+00:00`."""
    return None if instant is None else _local(instant, "UTC").isoformat(timespec="milliseconds")


def _local(instant: int, zone: str) -> datetime:
    return datetime.fromtimestamp(instant / 1000, timezone.utc if zone == "UTC" else ZoneInfo(zone))
