"""The error message for a table whose log or files cannot be read."""

from __future__ import annotations

from dbt.adapters.trickle.history.delta_files import DeltaLog, LogUnreadable
from dbt.adapters.trickle.names import STORAGE_SUFFIX


def unreadable(failure: LogUnreadable, own: DeltaLog) -> str:
    """What is damaged and what to do: our own table is rebuilt from its sources, a source is repaired by its owner."""
    table = failure.table
    if table is None or table == own.path:
        return f"{failure}: run with --full-refresh."
    if table.name.endswith(STORAGE_SUFFIX):
        model = table.name.removesuffix(STORAGE_SUFFIX)
        return f"The stream table {model}, which this model reads, is damaged: {failure}. Run it with --full-refresh."
    return (
        f"A table this model reads is damaged: {failure}. Nothing was written. Restore the file, or create the "
        f"table in {table} again; the next run reads it."
    )
