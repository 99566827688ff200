"""Checking a stored table against its own SELECT, from what the storage alone remembers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dbt_common.exceptions import DbtRuntimeError

import trickle
from dbt.adapters.trickle.decide import output_schema
from dbt.adapters.trickle.delta_log import DeltaLog, last_stamp
from dbt.adapters.trickle.delta_log.snapshot import metadata_at
from dbt.adapters.trickle.layout import QUERY
from dbt.adapters.trickle.warehouse import Warehouse


def exact_check(
    name: str,
    log: DeltaLog,
    warehouse: Warehouse,
    analyse: Callable[[str], Sequence[tuple[str, str]]],
) -> str:
    """In `dbt test` no other node's SQL is at hand: the SELECT and its versions come from the storage."""
    stamped = last_stamp(log)
    if stamped is None:
        raise DbtRuntimeError(f"{name} is not a stream table, or was never built: run `dbt run` first.")
    query = metadata_at(log, log.latest).properties.get(QUERY)
    if query is None:
        raise DbtRuntimeError(f"{name} does not hold its SELECT any more: run `dbt run --full-refresh` once.")
    view = trickle.compile_view(query, warehouse.resolve, output_schema(analyse(query)), trickle.Options())
    return trickle.exact_check(view, stamped.stamp.frontier)
