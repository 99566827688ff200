"""max_consecutive_errors: the number of consecutive failed refreshes after which a table is suspended."""

from __future__ import annotations

from dbt.adapters.trickle.options.key import Key, refusal

DEFAULT = 3


def _read(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    raise refusal("max_consecutive_errors", value, "a number of refreshes from 1 on")


MAX_CONSECUTIVE_ERRORS = Key("max_consecutive_errors", DEFAULT, _read)
