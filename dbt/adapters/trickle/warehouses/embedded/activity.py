"""The statements that run now, and whether the user has interrupted the process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count

from dbt.adapters.exceptions.connection import FailedToConnectError

from dbt.adapters.trickle.warehouses.embedded.progress import Progress, Running, Stage

DBT = "dbt"
"""The purpose of a process that runs dbt, and so refreshes stream tables."""


def _nothing() -> None:
    """Does nothing: before Spark starts there is nothing to cancel."""


def _no_stages() -> Sequence[Stage]:
    return ()


class Activity:
    def __init__(self) -> None:
        self.interrupted = threading.Event()
        self.purpose = DBT
        """The purpose for which this process uses the warehouse; other processes read it from the lock."""
        self._running: dict[int, Running] = {}
        self._numbers = count()
        self._changed = threading.Condition()
        # Functions that cancel the running statements and kill Java; the warehouse sets them when it starts.
        self.cancel: Callable[[], None] = _nothing
        self.kill: Callable[[], None] = _nothing
        self.stages: Callable[[], Sequence[Stage]] = _no_stages
        self.progress: Progress | None = None

    @contextmanager
    def statement(self, text: str = "") -> Iterator[None]:
        if self.interrupted.is_set():
            raise FailedToConnectError("Interrupted: no further statement is started.")
        with self._changed:
            number = next(self._numbers)
            self._running[number] = Running(text, time.monotonic())
        if self.progress is not None:
            self.progress.watch()
        try:
            yield
        finally:
            with self._changed:
                del self._running[number]
                self._changed.notify_all()
            if self.progress is not None:
                self.progress.clear()

    def running(self) -> tuple[Running, ...]:
        with self._changed:
            return tuple(self._running.values())

    def wait_until_idle(self, seconds: float) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: not self._running, seconds)


ACTIVITY = Activity()
