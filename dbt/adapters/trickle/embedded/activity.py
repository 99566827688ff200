"""Which statements run now, and whether the user has asked for the end."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from dbt.adapters.exceptions.connection import FailedToConnectError

DBT = "dbt"
"""The purpose of a process that runs dbt, and so refreshes stream tables."""


def _nothing() -> None:
    """Nothing runs yet, so there is nothing to end."""


class Activity:
    def __init__(self) -> None:
        self.interrupted = threading.Event()
        self.purpose = DBT
        """What the warehouse is used for by this process; other processes read it in the lock."""
        self._running = 0
        self._changed = threading.Condition()
        # What ends the running statements, gently and at once; the warehouse sets them when it starts.
        self.cancel: Callable[[], None] = _nothing
        self.kill: Callable[[], None] = _nothing

    @contextmanager
    def statement(self) -> Iterator[None]:
        if self.interrupted.is_set():
            raise FailedToConnectError("Interrupted: no further statement is started.")
        with self._changed:
            self._running += 1
        try:
            yield
        finally:
            with self._changed:
                self._running -= 1
                self._changed.notify_all()

    def wait_until_idle(self, seconds: float) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: self._running == 0, seconds)


ACTIVITY = Activity()
