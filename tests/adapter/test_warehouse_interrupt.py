"""Ctrl-C and SIGTERM are handled alike: Spark's jobs are cancelled, and Java is killed if that takes too long."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import pytest

from dbt.adapters.trickle.warehouses.embedded import interrupt
from dbt.adapters.trickle.warehouses.embedded.activity import ACTIVITY
from dbt.adapters.trickle.warehouses.embedded.lock import try_lock


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, threading.Event]]:
    """The calls to Spark, with the process's own handlers restored afterwards."""
    asked = {"cancel": threading.Event(), "kill": threading.Event()}
    monkeypatch.setattr(interrupt, "GRACE_SECONDS", 0.05)
    monkeypatch.setattr(ACTIVITY, "cancel", asked["cancel"].set)
    monkeypatch.setattr(ACTIVITY, "kill", asked["kill"].set)
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    yield asked
    for number, handler in before.items():
        signal.signal(number, handler)
    while ACTIVITY.interrupted.is_set():
        threading.Event().wait(0.01)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_statement_that_cannot_be_cancelled_is_killed(ended: dict[str, threading.Event], number: int) -> None:
    """Planning has no job to cancel, and locks the warehouse as long as Java lives."""
    interrupt.install()
    interrupt.install()

    planning = threading.Thread(target=plan_until, args=(ended["kill"],))
    planning.start()
    while not ACTIVITY.running():
        threading.Event().wait(0.01)
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), number)
        threading.Event().wait(60)

    planning.join(60)
    assert ended["cancel"].is_set()
    assert ended["kill"].is_set()


def plan_until(killed: threading.Event) -> None:
    with ACTIVITY.statement("planning"):
        killed.wait(60)


def test_a_foreign_handler_is_left_alone(ended: dict[str, threading.Event]) -> None:
    """A program that runs dbt has its own way to end."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)

    interrupt.install()

    assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN


def test_dbt_ends_without_a_traceback(tmp_path: Path) -> None:
    """While it waits for a warehouse in use, or for anything else."""
    (tmp_path / "dbt_project.yml").write_text("{name: p, profile: shop, flags: {send_anonymous_usage_stats: false}}")
    (tmp_path / "profiles.yml").write_text("shop: {target: dev, outputs: {dev: {type: trickle, schema: s}}}")
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "m.sql").write_text("select 1 as a")
    (tmp_path / "warehouse").mkdir()
    held = try_lock(tmp_path / "warehouse" / "lock")
    assert held is not None
    command = [sys.executable, "-c", "from dbt.cli.main import cli; cli()", "--no-use-colors", "run"]
    process = subprocess.Popen(
        command,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stdout is not None
    seen = list(takewhile(lambda line: "waiting up to" not in line, process.stdout))
    process.send_signal(signal.SIGINT)
    told, _ = process.communicate(timeout=120)
    held.release()

    assert process.returncode == 2
    assert "Interrupted" in told
    for noise in ("Traceback", "py4j", "Py4J"):
        assert noise not in "".join(seen) + told
