"""Ctrl-C: cancel what Spark is doing, and if it does not let go, end it."""

from __future__ import annotations

import signal
import threading
from types import FrameType

from dbt.adapters.trickle.embedded.activity import ACTIVITY

# dbt must be gone within five seconds of Ctrl-C; these leave it three to print its summary.
GRACE_SECONDS = 1.5


def install() -> None:
    """Cancel before Python's own handler raises; only possible, and only needed, from the main thread."""
    if threading.current_thread() is not threading.main_thread():
        return
    previous = signal.getsignal(signal.SIGINT)
    if not callable(previous) or getattr(previous, "cancels_spark", False):
        return
    handler = previous

    def interrupt(number: int, frame: FrameType | None) -> None:
        ACTIVITY.interrupted.set()
        threading.Thread(target=_end, daemon=True).start()
        handler(number, frame)

    interrupt.cancels_spark = True  # type: ignore[attr-defined]
    signal.signal(signal.SIGINT, interrupt)


def _end() -> None:
    threading.Thread(target=ACTIVITY.cancel, daemon=True).start()
    if not ACTIVITY.wait_until_idle(GRACE_SECONDS):
        ACTIVITY.kill()
        ACTIVITY.wait_until_idle(GRACE_SECONDS)
    # A later run in the same process (a notebook, a test) starts afresh.
    ACTIVITY.interrupted.clear()
