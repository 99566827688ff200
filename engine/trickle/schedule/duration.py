"""Durations as users write them: `30s`, `5m`, `1h30m`, `1d`, `2w`."""

from __future__ import annotations

import re
from typing import Optional

SECOND = 1_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
WEEK = 7 * DAY
UNITS = {"w": WEEK, "d": DAY, "h": HOUR, "m": MINUTE, "s": SECOND}

_PARTS = re.compile(r"(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?")
_LOOSE = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]+)")
_WORDS = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), SECOND),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), MINUTE),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), HOUR),
    **dict.fromkeys(("d", "day", "days"), DAY),
    **dict.fromkeys(("w", "wk", "week", "weeks"), WEEK),
}


def parse_duration(text: str) -> Optional[int]:
    """Milliseconds; None when the text is not a duration greater than zero."""
    match = _PARTS.fullmatch(text)
    if match is None:
        return None
    total = sum(int(count) * size for count, size in zip(match.groups(), UNITS.values()) if count)
    return total or None


def show_duration(milliseconds: int) -> str:
    """The shortest text that `parse_duration` reads as this number of whole seconds."""
    rest = milliseconds
    words = []
    for unit, size in UNITS.items():
        count, rest = divmod(rest, size)
        if count:
            words.append(f"{count}{unit}")
    return "".join(words) or "0s"


def guess_duration(text: str) -> Optional[str]:
    """The valid form of `5 minutes`, `1.5h`, `every 10 min` or a bare number of seconds; None when there is none."""
    text = text.lower().strip().removeprefix("every").removeprefix("pt").strip()
    if text.isdigit():
        text += "s"
    elif text[-1:].isdigit():
        # `1h30` is short for thirty of the next smaller unit.
        text += {"w": "d", "d": "h", "h": "m", "m": "s"}.get(re.sub(r"[^a-z]", "", text)[-1:], "")
    amounts = _LOOSE.findall(text)
    if not amounts or _LOOSE.sub("", text).strip(" ,+") not in ("", "and"):
        return None
    if any(unit not in _WORDS for _, unit in amounts):
        return None
    total = round(sum(float(count) * _WORDS[unit] for count, unit in amounts))
    return show_duration(total) if total >= SECOND else None
