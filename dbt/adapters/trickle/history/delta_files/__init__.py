"""Reading a Delta table's log in plain Python: its definition, what happened to it, and the stamps it carries.

No Spark and no JVM: a refresh that finds nothing to do must cost milliseconds. Everything here only reads.
"""

from dbt.adapters.trickle.history.delta_files.column_statistics import column_statistics
from dbt.adapters.trickle.history.delta_files.delta_log import DeltaLog
from dbt.adapters.trickle.history.delta_files.log import LogUnreadable
from dbt.adapters.trickle.history.delta_files.probe import probe
from dbt.adapters.trickle.history.delta_files.stamps import (
    StampedCommit,
    last_stamp,
    unstamped_change,
)

__all__ = [
    "DeltaLog",
    "LogUnreadable",
    "StampedCommit",
    "column_statistics",
    "last_stamp",
    "probe",
    "unstamped_change",
]
