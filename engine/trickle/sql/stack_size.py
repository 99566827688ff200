"""Room for texts that are nested deep: the parser and the printer call themselves for every level."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from trickle.errors import InvalidView

Work = TypeVar("Work", bound=Callable[..., Any])

FRAMES = 5_000
"""Calls within each other that a thread's usual stack of 8 MB holds with room to spare; Python itself stops at 1000."""
LARGE_STACK = 512 * 1024 * 1024
"""Address space only: memory is taken where the calls get to."""
FRAMES_ON_LARGE_STACK = 150_000

_one_at_a_time = threading.Lock()


def raise_recursion_limit() -> None:
    """Let this process call deeper than Python does by itself: plans of ordinary queries are deeper than that."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), FRAMES))


def with_large_stack(work: Work) -> Work:
    """A pure function of a text or a tree, done on a larger stack where the usual one does not suffice."""

    @wraps(work)
    def done(*given: Any, **named: Any) -> Any:
        try:
            return work(*given, **named)
        except RecursionError:
            return _on_a_large_stack(lambda: work(*given, **named))

    return cast(Work, done)


def _on_a_large_stack(work: Callable[[], Any]) -> Any:
    outcome: list[Any] = []
    failures: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(work())
        except RecursionError:
            remedy = "Take it apart into several models, or into CTEs beside each other."
            failures.append(InvalidView("the query is nested too deep to be read", remedy=remedy))
        except BaseException as failure:
            # For the thread that waits.
            failures.append(failure)

    with _one_at_a_time:
        size, limit = threading.stack_size(LARGE_STACK), sys.getrecursionlimit()
        thread = threading.Thread(target=run)
        try:
            sys.setrecursionlimit(FRAMES_ON_LARGE_STACK)
            thread.start()
            thread.join()
        finally:
            sys.setrecursionlimit(limit)
            threading.stack_size(size)
    if failures:
        raise failures[0]
    return outcome[0]
