"""Instants for tests, written as people write them."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo


def at(text: str, zone: str = "UTC", fold: int = 0) -> int:
    """`2026-03-29 02:30:00` in a zone → epoch milliseconds; fold 1 is the second of an hour that comes twice."""
    return round(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold).timestamp() * 1000)
