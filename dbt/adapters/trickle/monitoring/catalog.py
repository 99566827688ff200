"""The statistics of a stream table that `dbt docs` shows, in the form of dbt's catalog."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dbt.adapters.trickle.history.delta_files import DeltaLog, LogUnreadable, last_stamp
from dbt.adapters.trickle.monitoring.short_numbers import moment, share
from dbt.adapters.trickle.monitoring.stored_size import stored_size_at
from dbt.adapters.trickle.storages.stamp_fields import BECAUSE, MAINTAINED, MODE
from trickle.catalog.frontier import MESSAGE


def statistics(log: DeltaLog, zone: str) -> Mapping[str, Any]:
    """`stats:…` entries; none for a relation that is not a stream table or whose log cannot be read."""
    try:
        return _statistics(log, zone)
    except LogUnreadable:
        # `dbt docs` should not fail because of one damaged log: `dbt-trickle status` reports it.
        return {}


def _statistics(log: DeltaLog, zone: str) -> Mapping[str, Any]:
    stamped = last_stamp(log)
    if stamped is None:
        return {}
    stamp, size = stamped.stamp, stored_size_at(log, log.latest)
    because = stamp.extra.get(BECAUSE)
    reasons = " ".join(map(str, because.values())) if isinstance(because, Mapping) else ""
    entries = {
        "refresh_mode": ("Refresh mode", str(stamp.extra.get(MODE, "")), "As configured."),
        "maintained": ("Maintained", str(stamp.extra.get(MAINTAINED, "")), reasons or "Nothing needs recomputing."),
        "last_refresh": (
            "Last refresh",
            f"{moment(stamped.commit.committed_at, zone)}: {stamp.action} {stamp.reason}",
            str(stamp.extra.get(MESSAGE, "")) or "The last refresh that wrote rows.",
        ),
        "data_timestamp": ("Data of", moment(stamp.data_timestamp, zone), "The newest source commit that it contains."),
        "stored_rows": ("Stored rows", str(size.stored_rows or 0), "Rows of the storage table."),
        "stored_bytes": ("Bytes", str(size.bytes), "Bytes of the storage table."),
        "hidden_share": ("Hidden state", share(size.hidden_share), "The hidden columns' share of the bytes."),
    }
    return {
        f"stats:{key}:{part}": value
        for key, (label, text, description) in entries.items()
        for part, value in (("label", label), ("value", text), ("description", description), ("include", True))
    }
