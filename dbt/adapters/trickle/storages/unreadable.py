"""What is said, and what is to be done, when a table's log or files cannot be read."""

from __future__ import annotations

from dbt.adapters.trickle.history.delta_files import DeltaLog, LogUnreadable
from dbt.adapters.trickle.names import STORAGE_SUFFIX


def unreadable(failure: LogUnreadable, own: DeltaLog) -> str:
    """One sentence. Our own table can be made anew from its sources; nobody but its owner can mend a source."""
    table = failure.table
    if table is None or table == own.path:
        return f"{failure}: run with --full-refresh."
    if table.name.endswith(STORAGE_SUFFIX):
        model = table.name.removesuffix(STORAGE_SUFFIX)
        return f"The stream table {model}, which this model reads, is damaged: {failure}. Run it with --full-refresh."
    return (
        f"A table this model reads is damaged: {failure}. Nothing was written. Bring the file back, or make the table "
        f"in {table} anew; the next run takes it from there."
    )
