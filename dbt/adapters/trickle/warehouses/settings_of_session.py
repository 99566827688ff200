"""Giving settings to a session of Spark, for good or for a while."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Protocol


class Settings(Protocol):
    """The settings of one session: that part of the Session port."""

    def settings(self) -> Mapping[str, str]: ...

    def set(self, values: Mapping[str, str | None]) -> None: ...


class Conf(Protocol):
    """PySpark's `spark.conf`, of a session in this process or over Spark Connect."""

    def set(self, key: str, value: str) -> None: ...

    def unset(self, key: str) -> None: ...


def give(conf: Conf, values: Mapping[str, str | None]) -> None:
    """None: Spark's default."""
    for key, value in values.items():
        if value is None:
            conf.unset(key)
        else:
            conf.set(key, value)


@contextmanager
def temporarily(session: Settings, values: Mapping[str, str | None]) -> Iterator[None]:
    """These settings until the block ends, then what was there before. Without values nothing is asked."""
    if not values:
        yield
        return
    before = session.settings()
    try:
        session.set(values)
        yield
    finally:
        session.set({key: before.get(key) for key in values})
