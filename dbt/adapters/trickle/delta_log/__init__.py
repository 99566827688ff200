"""Reading a Delta table's log in plain Python: what it is, what happened to it, and the stamps it carries.

No Spark and no JVM: a refresh that finds nothing to do must cost milliseconds. Everything here only reads.
"""

from dbt.adapters.trickle.delta_log.log import DeltaLog, LogUnreadable
from dbt.adapters.trickle.delta_log.probe import probe
from dbt.adapters.trickle.delta_log.spread import spread
from dbt.adapters.trickle.delta_log.stamps import (
    StampedCommit,
    last_stamp,
    unstamped_change,
)

__all__ = [
    "DeltaLog",
    "LogUnreadable",
    "StampedCommit",
    "last_stamp",
    "probe",
    "spread",
    "unstamped_change",
]
