"""Checking a stored table against its own SELECT, from what the storage alone remembers."""

from __future__ import annotations

from dbt_common.exceptions import DbtRuntimeError

from dbt.adapters.trickle.decide import Analyst, output_schema
from dbt.adapters.trickle.delta_log import DeltaLog, last_stamp
from dbt.adapters.trickle.delta_log.snapshot import metadata_at
from dbt.adapters.trickle.layout import QUERY
from dbt.adapters.trickle.warehouse import Warehouse
from trickle import Options, Target, compile_view
from trickle import exact_check as compare


def exact_check(
    facade: tuple[str, str], storage: tuple[str, str], log: DeltaLog, warehouse: Warehouse, analyst: Analyst
) -> str:
    """In `dbt test` no other node's SQL is at hand: the SELECT and its versions come from the storage."""
    name = ".".join(facade)
    stamped = last_stamp(log)
    if stamped is None:
        raise DbtRuntimeError(f"{name} is not a stream table, or was never built: run `dbt run` first.")
    query = metadata_at(log, log.latest).properties.get(QUERY)
    if query is None:
        raise DbtRuntimeError(f"{name} does not hold its SELECT any more: run `dbt run --full-refresh` once.")
    view = compile_view(query, warehouse.resolve, output_schema(analyst.schema_of(query)), Options())
    return compare(view, Target(facade, storage, exists=True), stamped.stamp.frontier)
