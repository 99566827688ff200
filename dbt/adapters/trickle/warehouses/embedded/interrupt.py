"""Ctrl-C and SIGTERM: cancel what Spark is doing, and if it does not let go, end it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

from dbt_common.exceptions import DbtBaseException

from dbt.adapters.trickle.warehouses.embedded.activity import ACTIVITY

# dbt must be gone within five seconds of Ctrl-C; these leave it three to print its summary.
GRACE_SECONDS = 1.5


class Interrupted(KeyboardInterrupt, DbtBaseException):
    """A KeyboardInterrupt that dbt takes for an error of its own: it says so, and prints no traceback."""


def install() -> None:
    """Cancel before Python's own handler raises; only possible, and only needed, from the main thread.

    A polite end (SIGTERM) is a Ctrl-C from somebody else: without a handler Python would be gone at once, and Java
    would hold the warehouse until it is through with what it is planning.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    usual = signal.getsignal(signal.SIGINT)
    if not callable(usual):
        return
    if not getattr(usual, "cancels_spark", False):
        signal.signal(signal.SIGINT, _cancelling(usual))
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _cancelling(signal.default_int_handler))


def _cancelling(handler: Callable[[int, FrameType | None], Any]) -> Callable[[int, FrameType | None], None]:
    def interrupt(number: int, frame: FrameType | None) -> None:
        ACTIVITY.interrupted.set()
        threading.Thread(target=_end, daemon=True).start()
        if handler is signal.default_int_handler and _in_dbts_command_line(frame):
            raise Interrupted("Interrupted: what was committed stays, and dbt can be run again.")
        handler(number, frame)

    interrupt.cancels_spark = True  # type: ignore[attr-defined]
    return interrupt


def _in_dbts_command_line(frame: FrameType | None) -> bool:
    """Whether it is dbt that will catch what is raised here: nobody else shall take it for an Exception."""
    while frame is not None:
        if frame.f_globals.get("__name__") == "dbt.cli.requires":
            return True
        frame = frame.f_back
    return False


def _end() -> None:
    threading.Thread(target=ACTIVITY.cancel, daemon=True).start()
    if not ACTIVITY.wait_until_idle(GRACE_SECONDS):
        ACTIVITY.kill()
        ACTIVITY.wait_until_idle(GRACE_SECONDS)
    # A later run in the same process (a notebook, a test) starts afresh.
    ACTIVITY.interrupted.clear()
