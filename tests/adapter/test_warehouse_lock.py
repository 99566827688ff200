"""One process at a time: the lock waits, reports its holder, and gives up in one sentence."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from dbt.adapters.exceptions import FailedToConnectError

from dbt.adapters.trickle.warehouses.embedded.lock import holder, try_lock, wait_for_lock

HOLD = """
import sys
from collections.abc import Iterator
from pathlib import Path
from dbt.adapters.trickle.warehouses.embedded.lock import try_lock
assert try_lock(Path(sys.argv[1])) is not None
print("locked", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def locked(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A lock locked by another process until that process ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path / "lock")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "locked\n"
    yield process
    process.kill()
    process.wait()


def never() -> threading.Event:
    return threading.Event()


def test_a_free_lock_is_taken_at_once(tmp_path: Path) -> None:
    """Nothing is reported if there is no wait."""
    said: list[str] = []

    lock = wait_for_lock(tmp_path / "lock", 0, said.append, never())

    assert said == []
    assert try_lock(tmp_path / "lock") is None
    lock.release()
    assert try_lock(tmp_path / "lock") is not None


def test_giving_up_names_the_holder(tmp_path: Path, locked: subprocess.Popen[str]) -> None:
    """The error names the process that uses the warehouse and what to change."""
    said: list[str] = []

    with pytest.raises(FailedToConnectError, match=rf"in use by process {locked.pid} .*`lock_timeout`"):
        wait_for_lock(tmp_path / "lock", 0.5, said.append, never())

    assert len(said) == 1
    assert f"in use by process {locked.pid}; waiting up to 0.5 seconds" in said[0]


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path, locked: subprocess.Popen[str]) -> None:
    """A killed run does not block the next one."""
    locked.kill()
    locked.wait()

    lock = wait_for_lock(tmp_path / "lock", 10, lambda _: None, never())

    assert holder(tmp_path / "lock") != str(locked.pid)
    lock.release()


def test_a_child_keeps_the_lock_of_its_dead_parent(tmp_path: Path) -> None:
    """The Java of a killed dbt may still be writing, so the lock ends with the last of the two."""
    lock = try_lock(tmp_path / "lock")
    assert lock is not None
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, pass_fds=(lock.descriptor,)) as child:
        lock.release()

        assert try_lock(tmp_path / "lock") is None
        child.kill()
        child.wait()
        assert try_lock(tmp_path / "lock") is not None


def test_an_interrupt_ends_the_waiting(tmp_path: Path, locked: subprocess.Popen[str]) -> None:
    """Ctrl-C while waiting is obeyed, not waited out."""
    interrupted = threading.Event()
    interrupted.set()

    with pytest.raises(FailedToConnectError, match="Interrupted while waiting"):
        wait_for_lock(tmp_path / "lock", 3600, lambda _: None, interrupted)
