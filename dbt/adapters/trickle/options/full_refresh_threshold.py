"""full_refresh_threshold: the share of changed rows above which a refresh recomputes."""

from __future__ import annotations

from dbt.adapters.trickle.options.key import Key, refusal


def _read(value: object) -> float | None:
    if value == "auto":
        return None
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1:
        return float(value)
    raise refusal("full_refresh_threshold", value, "auto or a share of changed rows between 0.0 and 1.0")


FULL_REFRESH_THRESHOLD = Key("full_refresh_threshold", "auto", _read)
