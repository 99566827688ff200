"""How Spark plans a statement: again after every stage, or once."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Protocol

ADAPTIVE = "spark.sql.adaptive.enabled"


class Settings(Protocol):
    """Session settings; they reach no other connection."""

    def conf(self, key: str) -> str: ...

    def set_conf(self, key: str, value: str) -> None: ...


@contextmanager
def planned_once(settings: Settings, one_task: bool) -> Generator[None, None, None]:
    """Where every stage is one task's there is nothing to learn from it, and planning again is most of the work."""
    if not one_task:
        yield
        return
    usual = settings.conf(ADAPTIVE)
    settings.set_conf(ADAPTIVE, "false")
    try:
        yield
    finally:
        settings.set_conf(ADAPTIVE, usual)
