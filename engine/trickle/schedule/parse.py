"""The config key `schedule` → a schedule, or an error that names the allowed forms and the nearest valid value."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, Optional
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from trickle.errors import InvalidView
from trickle.schedule.cron import NAMES, expanded, fault
from trickle.schedule.duration import guess_duration, parse_duration
from trickle.schedule.every import Every
from trickle.schedule.slots import Calculated, ConfiguredSchedule, Cron, EveryRun, OnUpdate
from trickle.schedule.target_lag import TargetLag

CALCULATED = "calculated"
KINDS = ("target_lag", "every", "cron", "on_update")
KEYS = (*KINDS, "time_zone", "at_most_every")
ALLOWED = (
    "a duration such as 5m, 1h30m or 1d for the greatest age of its rows, "
    "a cron expression of 5 or 6 fields such as */5 * * * *, "
    "a name such as @hourly, calculated, or a mapping with one of target_lag, every, cron and on_update"
)
WORDS = {
    "hourly": "@hourly",
    "daily": "@daily",
    "nightly": "@daily",
    "weekly": "@weekly",
    "monthly": "@monthly",
    "yearly": "@yearly",
    "minutely": "1m",
    "downstream": CALCULATED,
    "auto": CALCULATED,
}
FIELDS = (("second", 59), ("minute", 59), ("hour", 23), ("day-of-month", 31), ("month", 12), ("day-of-week", 7))


def parse_schedule(value: Any, default_zone: str = "UTC") -> ConfiguredSchedule:
    """`5m` · `*/5 * * * *` · `@hourly` · `calculated` · `{target_lag | every | cron | on_update, …}`."""
    if isinstance(value, Mapping):
        return _from_mapping(value, default_zone)
    if not isinstance(value, str):
        raise _refusal(str(value), _nearest(str(value)) if isinstance(value, int) else None)
    text = value.strip()
    if text.lower() == CALCULATED:
        return Calculated()
    if text.startswith("@") or len(text.split()) in (5, 6):
        return _cron(text, default_zone)
    return TargetLag(_duration(text))


def _duration(text: str) -> int:
    duration = parse_duration(text)
    if duration is None:
        raise _refusal(text, _nearest(text))
    return duration


def _duration_of(shown: str, key: str, value: Any) -> int:
    text = str(value).strip()
    duration = parse_duration(text)
    if duration is None:
        near = guess_duration(text)
        raise _wrong(shown, f"`{key}` takes a duration such as 5m, 1h30m or 1d", f"`{near}`" if near else None)
    return duration


def _cron(text: str, zone: str) -> Cron:
    wrong = fault(text) if len(expanded(text).split()) in (5, 6) else "A cron expression has 5 or 6 fields"
    if wrong:
        raise _refusal(text, _nearest(text), _explained(wrong))
    return Cron(expanded(text), zone)


def _from_mapping(value: Mapping[str, Any], default_zone: str) -> ConfiguredSchedule:
    shown = "{" + ", ".join(f"{key}: {item}" for key, item in value.items()) + "}"
    unknown = [str(key) for key in value if key not in KEYS]
    if unknown:
        near = get_close_matches(unknown[0].lower(), KEYS, n=1, cutoff=0.5)
        raise _wrong(
            shown, f"`{unknown[0]}` is no key of it; it takes {', '.join(KEYS)}", f"`{near[0]}`" if near else None
        )
    kinds = [kind for kind in KINDS if value.get(kind) not in (None, False)]
    if len(kinds) != 1:
        raise _wrong(shown, f"it takes exactly one of {', '.join(KINDS)}", "`{target_lag: 5m}`")
    (kind,) = kinds
    # A target lag and an update mean the same in every zone: a zone is accepted and has no effect.
    zone = _zone(shown, str(value.get("time_zone") or default_zone))
    if "at_most_every" in value and kind != "on_update":
        raise _wrong(shown, "`at_most_every` goes with on_update", "`{on_update: true, at_most_every: 10m}`")
    match kind:
        case "target_lag":
            return TargetLag(_duration_of(shown, kind, value[kind]))
        case "every":
            return Every(_duration_of(shown, kind, value[kind]), zone)
        case "cron":
            return _cron(str(value[kind]).strip(), zone)
        case _:
            return _on_update(shown, value)


def _on_update(shown: str, value: Mapping[str, Any]) -> ConfiguredSchedule:
    if value["on_update"] is not True:
        raise _wrong(shown, "`on_update` is true or left out", "`{on_update: true}`")
    limit = value.get("at_most_every")
    if limit is None:
        return EveryRun(on_update=True)
    return OnUpdate(_duration_of(shown, "at_most_every", limit))


def _zone(shown: str, zone: str) -> str:
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        near = get_close_matches(zone, available_timezones(), n=1, cutoff=0.5)
        raise _wrong(shown, f"`{zone}` is no time zone", f"`{near[0]}`" if near else "`UTC`") from None
    return zone


def _refusal(text: str, nearest: Optional[str], because: str = "") -> InvalidView:
    why = f" ({because})" if because else ""
    hint = f"; the nearest is `{nearest}`" if nearest else ""
    return InvalidView(f"`schedule: {text}` is not allowed{why}: say {ALLOWED}{hint}.")


def _wrong(shown: str, because: str, nearest: Optional[str]) -> InvalidView:
    hint = f"; the nearest is {nearest}" if nearest else ""
    return InvalidView(f"`schedule: {shown}` is not allowed: {because}{hint}.")


def _explained(wrong: str) -> str:
    """`Bad hour` → `its hour goes from 0 to 23`."""
    for field, most in FIELDS:
        if wrong == f"Bad {field}":
            least = 1 if field in ("day-of-month", "month") else 0
            return f"its {field} goes from {least} to {most}"
    return wrong[0].lower() + wrong[1:]


def _nearest(text: str) -> Optional[str]:
    """The first valid schedule among some corrections of the text."""
    plain = text.lower().strip()
    duration = guess_duration(text)
    if duration is not None:
        return duration
    names = get_close_matches(plain, [*NAMES, *WORDS, CALCULATED], n=1, cutoff=0.7)
    if names:
        return WORDS.get(names[0], names[0])
    return _nearest_cron(text)


def _nearest_cron(text: str) -> Optional[str]:
    """A valid expression after correcting Quartz' `?` and year, too few fields, and numbers out of range."""
    fields = text.replace("?", "*").split()
    if not 2 <= len(fields) <= 7:
        return None
    fields = fields[:6] if len(fields) > 6 else [*fields, *["*"] * (5 - len(fields))]
    limits = FIELDS if len(fields) == 6 else FIELDS[1:]
    tried = [" ".join(fields), " ".join(_clamped(field, limit) for field, limit in zip(fields, limits))]
    return next((candidate for candidate in tried if not fault(candidate)), None)


def _clamped(field: str, limit: tuple[str, int]) -> str:
    name, most = limit
    if not field.isdigit() or int(field) <= most:
        return "1" if field == "0" and name in ("day-of-month", "month") else field
    # The hour 24 and the minute 60 are 0 of the next day and hour.
    return "0" if int(field) == most + 1 and name in ("hour", "minute", "second") else str(most)
