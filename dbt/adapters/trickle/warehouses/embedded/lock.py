"""The lock of a warehouse: one process at a time may use it, because the catalog's database allows no more."""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dbt.adapters.exceptions.connection import FailedToConnectError

from dbt.adapters.trickle.warehouses.embedded.activity import DBT

POLL_SECONDS = 0.2
# The Java of a process that has just ended needs a moment to end; waiting for it is not reported.
SILENT_SECONDS = 2.0


class FileLock:
    """An advisory lock that the operating system releases when its last holder has ended, in whatever way.

    The Java process inherits the descriptor, so that a killed dbt whose Java still runs keeps the lock.
    """

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def release(self) -> None:
        os.close(self.descriptor)


@dataclass(frozen=True)
class Holder:
    """The process that uses a warehouse."""

    pid: int
    purpose: str
    """`dbt`, or another command of dbt-trickle."""
    since: int
    """Epoch milliseconds."""


def try_lock(path: Path, purpose: str = DBT) -> FileLock | None:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"{os.getpid()}\n{purpose}\n".encode(), 0)
    return FileLock(descriptor)


def holder(path: Path) -> str:
    """The process id that the lock's current or last holder wrote."""
    try:
        return next(iter(path.read_text("utf-8").split()), "unknown")
    except FileNotFoundError:
        return "unknown"


def other_holder(path: Path) -> Holder | None:
    """Another live process that holds the lock; None if it is free, ours, or about to be released."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        # The statement that takes the lock will report what is wrong with it.
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return None
    except BlockingIOError:
        pid, _, purpose = os.read(descriptor, 1000).decode("utf-8", "replace").strip().partition("\n")
        since = os.fstat(descriptor).st_mtime_ns // 1_000_000
        alive = pid.isdigit() and int(pid) != os.getpid() and _is_alive(int(pid))
        return Holder(int(pid), purpose.strip(), since) if alive else None
    finally:
        os.close(descriptor)


def _is_alive(pid: int) -> bool:
    """Whether the process exists. After it has ended, its Java still holds the lock for a moment."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def wait_for_lock(
    path: Path, timeout: float, report: Callable[[str], None], interrupted: threading.Event, purpose: str = DBT
) -> FileLock:
    """Take the lock, reporting once whom we wait for; raises one sentence after `timeout` seconds."""
    began = time.monotonic()
    reported = False
    while True:
        lock = try_lock(path, purpose)
        if lock is not None:
            return lock
        waited = time.monotonic() - began
        if waited >= timeout:
            waited_for = f" and was not free within {timeout:g} seconds" if timeout else ""
            raise FailedToConnectError(
                f"The warehouse {path.parent} is in use by process {holder(path)}{waited_for}: wait for that run to "
                "end, or wait longer (`lock_timeout` in the profile, --wait of dbt-trickle sql)."
            )
        if not reported and waited >= min(SILENT_SECONDS, timeout / 2):
            report(
                f"The warehouse {path.parent} is in use by process {holder(path)}; "
                f"waiting up to {timeout:g} seconds for it."
            )
            reported = True
        if interrupted.wait(min(POLL_SECONDS, max(0.01, timeout - waited))):
            raise FailedToConnectError(f"Interrupted while waiting for the warehouse {path.parent}.")
