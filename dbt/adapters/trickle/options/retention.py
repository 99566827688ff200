"""retention: how long versions and change feeds of the storage stay readable, in hours."""

from __future__ import annotations

import re

from dbt.adapters.trickle.options.key import Key, refusal

DURATION = re.compile(r"(\d+)\s*(h|hours?|d|days?|w|weeks?)")
HOURS = {"h": 1, "d": 24, "w": 168}


def _read(value: object) -> int:
    match = DURATION.fullmatch(value.strip().lower()) if isinstance(value, str) else None
    if match is None or int(match[1]) == 0:
        raise refusal("retention", value, "a duration such as 30d, 2w or 720h")
    return int(match[1]) * HOURS[match[2][0]]


RETENTION = Key("retention", "30d", _read)
