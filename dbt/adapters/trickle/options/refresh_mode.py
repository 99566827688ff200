"""refresh_mode: whether a refresh maintains the table, recomputes it, or does the cheaper of the two."""

from __future__ import annotations

from dbt_common.exceptions import CompilationError

from dbt.adapters.trickle.options.key import Key, one_of
from trickle import RefreshMode

_mode = one_of("refresh_mode", "auto", "incremental", "full")


def _read(value: object) -> RefreshMode:
    if value == "differential":
        return RefreshMode.INCREMENTAL
    if value == "immediate":
        raise CompilationError(
            "`refresh_mode: immediate` does not exist: only a run of dbt refreshes a table; write auto, incremental or "
            "full and run dbt as often as the data must be fresh."
        )
    return RefreshMode(_mode(value))


REFRESH_MODE = Key("refresh_mode", "auto", _read)
