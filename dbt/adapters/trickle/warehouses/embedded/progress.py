"""A progress line on the terminal: the oldest running statement, its seconds, and the progress of its stage."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

SWITCH = "DBT_TRICKLE_PROGRESS"
SECONDS_BETWEEN = 1.0
SECONDS_UNTIL_SHOWN = 2.0
CLEAR = "\r\x1b[K"


class Stage(NamedTuple):
    """A running stage of Spark's."""

    id: int
    tasks: int
    done: int


class Running(NamedTuple):
    """A running statement, by its first words, and the instant of its start on the monotonic clock."""

    words: str
    since: float


class Terminal(Protocol):
    def write(self, text: str, /) -> object: ...
    def flush(self) -> object: ...
    def isatty(self) -> bool: ...


Statements = Callable[[], Sequence[Running]]
Stages = Callable[[], Sequence[Stage]]


def wanted(terminal: Terminal, environment: Mapping[str, str]) -> bool:
    """Whether to draw the line: only on an interactive terminal, unless it is switched off."""
    on = environment.get(SWITCH, "on").lower() not in {"off", "0", "false", "no"}
    return on and terminal.isatty() and environment.get("TERM") != "dumb" and not environment.get("CI")


def line(statements: Sequence[Running], stages: Iterable[Stage], now: float, width: int) -> str:
    """The line for the oldest statement; '' during its first seconds."""
    if not statements:
        return ""
    oldest = min(statements, key=lambda statement: statement.since)
    seconds = int(now - oldest.since)
    if seconds < SECONDS_UNTIL_SHOWN:
        return ""
    known = [stage for stage in stages if stage.tasks > 0]
    done, tasks = sum(stage.done for stage in known), sum(stage.tasks for stage in known)
    progress_text = f"  {seconds} s, " + (f"stage {known[0].id}: {done} of {tasks} tasks" if known else "planning")
    more = f" (and {len(statements) - 1} more)" if len(statements) > 1 else ""
    room = max(0, width - 1 - len(progress_text) - len(more))
    words = oldest.words if len(oldest.words) <= room else f"{oldest.words[: max(0, room - 1)]}…"
    return f"{words}{progress_text}{more}"[: width - 1]


class Progress:
    """Draws the line once a second in a thread of its own, while statements run."""

    def __init__(
        self, terminal: Terminal, statements: Statements, stages: Stages, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._terminal, self._statements, self._stages, self._clock = terminal, statements, stages, clock
        self._drawing = threading.Lock()
        self._drawn = False
        self._thread: threading.Thread | None = None

    def watch(self) -> None:
        """Start the thread, if it does not run: a statement has started."""
        with self._drawing:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, daemon=True, name="trickle-progress")
                self._thread.start()

    def draw(self) -> None:
        statements = self._statements()
        stages = self._stages() if statements else ()
        text = line(statements, stages, self._clock(), shutil.get_terminal_size().columns)
        with self._drawing:
            if text and self._statements():
                self._terminal.write(f"{CLEAR}{text}")
                self._terminal.flush()
                self._drawn = True

    def clear(self) -> None:
        """Erase the line, before other output and after the last statement."""
        with self._drawing:
            if self._drawn:
                self._terminal.write(CLEAR)
                self._terminal.flush()
                self._drawn = False

    def filter(self, event: object) -> bool:
        """A filter of dbt's first logger: erases the line before dbt writes, and lets this logger write nothing."""
        self.clear()
        return False

    def write_line(self, event: object) -> None:
        """Never called, because of `filter`."""

    def _run(self) -> None:
        while True:
            time.sleep(SECONDS_BETWEEN)
            self.draw()
            with self._drawing:
                if not self._statements():
                    self._thread = None
                    return
