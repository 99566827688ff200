"""Wall and CPU seconds of a block: of this process and of its Java process."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
USER_TICKS, SYSTEM_TICKS = 11, 12
"""Indexes of utime and stime after the process's name in /proc/<pid>/stat."""


@dataclass(frozen=True)
class Spent:
    """The time of a measured block."""

    wall: float
    cpu: float


class Reading:
    """Filled in when the measured block ends."""

    spent: Spent = Spent(0.0, 0.0)


@dataclass(frozen=True)
class Meter:
    """Measures blocks. Java's CPU includes its compiler and collector, also for earlier blocks."""

    java: int

    @contextmanager
    def measure(self) -> Iterator[Reading]:
        reading = Reading()
        wall, cpu = time.monotonic(), self.cpu()
        yield reading
        reading.spent = Spent(time.monotonic() - wall, self.cpu() - cpu)

    def cpu(self) -> float:
        """Of both processes, since they began."""
        return time.process_time() + cpu_seconds(Path(f"/proc/{self.java}/stat").read_text("utf-8"))


def cpu_seconds(stat: str, ticks: int = TICKS) -> float:
    """User and system time from a line of /proc/<pid>/stat; the name in it may have any characters."""
    fields = stat.rpartition(")")[2].split()
    return (int(fields[USER_TICKS]) + int(fields[SYSTEM_TICKS])) / ticks
