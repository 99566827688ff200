"""What `dbt docs` shows of a stream table, in the form of dbt's catalog."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dbt.adapters.trickle.history.delta_files import DeltaLog, LogUnreadable, last_stamp
from dbt.adapters.trickle.monitoring.short_numbers import moment, share
from dbt.adapters.trickle.monitoring.stored_size import stored_size_at
from dbt.adapters.trickle.storages.stamp_fields import BECAUSE, MAINTAINED, MODE
from trickle import MESSAGE


def statistics(log: DeltaLog, zone: str) -> Mapping[str, Any]:
    """`stats:…` entries; none for what is no stream table, or has a log that cannot be read."""
    try:
        return _statistics(log, zone)
    except LogUnreadable:
        # Documentation of a project is not the place to fail: `dbt-trickle status` says what is wrong.
        return {}


def _statistics(log: DeltaLog, zone: str) -> Mapping[str, Any]:
    stamped = last_stamp(log)
    if stamped is None:
        return {}
    stamp, held = stamped.stamp, stored_size_at(log, log.latest)
    because = stamp.extra.get(BECAUSE)
    reasons = " ".join(map(str, because.values())) if isinstance(because, Mapping) else ""
    told = {
        "refresh_mode": ("Refresh mode", str(stamp.extra.get(MODE, "")), "As configured."),
        "maintained": ("Maintained", str(stamp.extra.get(MAINTAINED, "")), reasons or "Nothing needs recomputing."),
        "last_refresh": (
            "Last refresh",
            f"{moment(stamped.commit.committed_at, zone)}: {stamp.action} {stamp.reason}",
            str(stamp.extra.get(MESSAGE, "")) or "The last refresh that wrote something.",
        ),
        "data_timestamp": ("Data of", moment(stamp.data_timestamp, zone), "The newest commit of a source it has read."),
        "stored_rows": ("Stored rows", str(held.stored_rows or 0), "Rows of the storage behind the view."),
        "stored_bytes": ("Bytes", str(held.bytes), "Bytes of the storage behind the view."),
        "hidden_share": ("Hidden state", share(held.hidden_share), "The hidden columns' share of the bytes."),
    }
    return {
        f"stats:{key}:{part}": value
        for key, (label, text, description) in told.items()
        for part, value in (("label", label), ("value", text), ("description", description), ("include", True))
    }
