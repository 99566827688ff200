"""Ctrl-C and SIGTERM: cancel Spark's jobs, and kill Java if that takes too long."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

from dbt_common.exceptions import DbtBaseException

from dbt.adapters.trickle.warehouses.embedded.activity import ACTIVITY

# dbt must end within five seconds of Ctrl-C; this leaves three for its summary.
GRACE_SECONDS = 1.5


class Interrupted(KeyboardInterrupt, DbtBaseException):
    """A KeyboardInterrupt that dbt handles as an error of its own: it prints the message without a traceback."""


def install() -> None:
    """Install handlers that cancel Spark before Python's own handler raises; only possible from the main thread.

    SIGTERM is handled like Ctrl-C: without a handler Python would end at once, and Java would lock the warehouse until
    it has finished its current planning.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    current = signal.getsignal(signal.SIGINT)
    if not callable(current):
        return
    if not getattr(current, "cancels_spark", False):
        signal.signal(signal.SIGINT, _cancelling(current))
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _cancelling(signal.default_int_handler))


def _cancelling(handler: Callable[[int, FrameType | None], Any]) -> Callable[[int, FrameType | None], None]:
    def interrupt(number: int, frame: FrameType | None) -> None:
        ACTIVITY.interrupted.set()
        threading.Thread(target=_cancel_and_kill, daemon=True).start()
        if handler is signal.default_int_handler and _in_dbts_command_line(frame):
            raise Interrupted("Interrupted: committed changes stay, and dbt can be run again.")
        handler(number, frame)

    interrupt.cancels_spark = True  # type: ignore[attr-defined]
    return interrupt


def _in_dbts_command_line(frame: FrameType | None) -> bool:
    """Whether dbt will catch the exception raised here; other callers must get a KeyboardInterrupt only."""
    while frame is not None:
        if frame.f_globals.get("__name__") == "dbt.cli.requires":
            return True
        frame = frame.f_back
    return False


def _cancel_and_kill() -> None:
    threading.Thread(target=ACTIVITY.cancel, daemon=True).start()
    if not ACTIVITY.wait_until_idle(GRACE_SECONDS):
        ACTIVITY.kill()
        ACTIVITY.wait_until_idle(GRACE_SECONDS)
    # A later run in the same process (a notebook, a test) starts uninterrupted.
    ACTIVITY.interrupted.clear()
