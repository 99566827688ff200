"""hooks_on_skip: whether hooks run when the table is skipped."""

from __future__ import annotations

from dbt.adapters.trickle.options.key import Key, refusal


def _read(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise refusal("hooks_on_skip", value, "true or false")


HOOKS_ON_SKIP = Key("hooks_on_skip", False, _read)
