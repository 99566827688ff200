"""The instant at which dbt believes its runs to start."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone, tzinfo

import dbt.tracking
import pytest


@dataclass
class Clock:
    """Stands in for `datetime` where dbt notes when a run starts; tables' commits keep real time."""

    moment: datetime

    def set(self, text: str) -> None:
        self.moment = datetime.fromisoformat(text).replace(tzinfo=timezone.utc)

    def now(self, tz: tzinfo | None = None) -> datetime:
        return self.moment


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Noon of a Thursday, until it is set."""
    made = Clock(datetime(2026, 11, 19, 12, tzinfo=timezone.utc))
    monkeypatch.setattr(dbt.tracking, "datetime", made)
    return made
