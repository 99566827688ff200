"""Output on the console, readable on a terminal and in a log."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO


class Console:
    """Prints steps and their times."""

    def __init__(self, out: TextIO = sys.stdout) -> None:
        self._out = out
        self._styled = out.isatty() and not os.environ.get("NO_COLOR")
        self._started = time.monotonic()

    def say(self, text: str = "") -> None:
        print(text, file=self._out, flush=True)

    def title(self, text: str) -> None:
        """A heading, with the time since the start."""
        elapsed = time.monotonic() - self._started
        self.say()
        self.say(f"{self._bold(text)}  [{int(elapsed) // 60}:{int(elapsed) % 60:02}]")

    def dim(self, text: str) -> None:
        self.say(f"\033[2m{text}\033[0m" if self._styled else text)

    @contextmanager
    def step(self, text: str) -> Iterator[Step]:
        """`text … part · part  3.2 s`, printed while the step runs."""
        started = time.monotonic()
        step = Step(self._out)
        self._out.write(f"  {text} …")
        self._out.flush()
        try:
            yield step
        except BaseException:
            self.say()
            raise
        self.say(f" {time.monotonic() - started:.1f} s")

    def _bold(self, text: str) -> str:
        return f"\033[1m{text}\033[0m" if self._styled else text


class Step:
    """The line of a running step."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._parts = 0

    def part(self, text: str) -> None:
        """Print the current part of the step."""
        self._out.write(f" {text}" if self._parts == 0 else f" · {text}")
        self._out.flush()
        self._parts += 1

    def dot(self) -> None:
        self._out.write("." if self._parts else " .")
        self._out.flush()
        self._parts += 1
