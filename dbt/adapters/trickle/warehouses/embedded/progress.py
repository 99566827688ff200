"""A line on the terminal while Spark works: which statement, for how long, and how far its stage has come."""

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
    """A stage of Spark's that is under way."""

    id: int
    tasks: int
    done: int


class Running(NamedTuple):
    """A statement that runs, by its first words, since an instant of the monotonic clock."""

    words: str
    since: float


class Terminal(Protocol):
    def write(self, text: str, /) -> object: ...
    def flush(self) -> object: ...
    def isatty(self) -> bool: ...


Statements = Callable[[], Sequence[Running]]
Stages = Callable[[], Sequence[Stage]]


def wanted(terminal: Terminal, environment: Mapping[str, str]) -> bool:
    """Only where somebody looks: not in a file, a pipe or CI's log, and not where it is switched off."""
    on = environment.get(SWITCH, "on").lower() not in {"off", "0", "false", "no"}
    return on and terminal.isatty() and environment.get("TERM") != "dumb" and not environment.get("CI")


def line(statements: Sequence[Running], stages: Iterable[Stage], now: float, width: int) -> str:
    """The oldest statement, for it is what one waits for; '' before it is worth a line."""
    if not statements:
        return ""
    oldest = min(statements, key=lambda one: one.since)
    seconds = int(now - oldest.since)
    if seconds < SECONDS_UNTIL_SHOWN:
        return ""
    known = [one for one in stages if one.tasks > 0]
    done, tasks = sum(one.done for one in known), sum(one.tasks for one in known)
    told = f"  {seconds} s, " + (f"stage {known[0].id}: {done} of {tasks} tasks" if known else "planning")
    more = f" (and {len(statements) - 1} more)" if len(statements) > 1 else ""
    room = max(0, width - 1 - len(told) - len(more))
    words = oldest.words if len(oldest.words) <= room else f"{oldest.words[: max(0, room - 1)]}…"
    return f"{words}{told}{more}"[: width - 1]


class Progress:
    """Draws the line once a second from a thread of its own, as long as statements run."""

    def __init__(
        self, terminal: Terminal, statements: Statements, stages: Stages, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._terminal, self._statements, self._stages, self._clock = terminal, statements, stages, clock
        self._drawing = threading.Lock()
        self._drawn = False
        self._thread: threading.Thread | None = None

    def watch(self) -> None:
        """A statement has begun."""
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
        """Make room: something else is about to be written, or nothing runs any more."""
        with self._drawing:
            if self._drawn:
                self._terminal.write(CLEAR)
                self._terminal.flush()
                self._drawn = False

    def filter(self, event: object) -> bool:
        """As the first of dbt's loggers: before it writes a line, ours goes. This logger itself writes none."""
        self.clear()
        return False

    def write_line(self, event: object) -> None:
        """Never asked for: see `filter`."""

    def _run(self) -> None:
        while True:
            time.sleep(SECONDS_BETWEEN)
            self.draw()
            with self._drawing:
                if not self._statements():
                    self._thread = None
                    return
