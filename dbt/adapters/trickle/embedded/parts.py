"""Parts of a statement that Spark computes before it: kept in memory under their names while the statement runs."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

from trickle import Part


@contextmanager
def computed_first(run: Callable[[str], object], parts: Sequence[Part]) -> Generator[None, None, None]:
    """The names are this session's own; they are gone when the statement is done, or has failed."""
    try:
        for part in parts:
            run(part.keep)
        yield
    finally:
        for part in parts:
            for statement in part.release:
                run(statement)
