"""Stack size for deeply nested texts: the parser and the printer recurse for every level."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from trickle.errors import InvalidView

Function = TypeVar("Function", bound=Callable[..., Any])

FRAMES = 5_000
"""Recursion limit that a thread's usual stack of 8 MB can hold; Python's default is 1000."""
LARGE_STACK = 512 * 1024 * 1024
"""Address space only: memory is allocated as the stack grows."""
FRAMES_ON_LARGE_STACK = 150_000

_large_stack_lock = threading.Lock()


def raise_recursion_limit() -> None:
    """Raise Python's recursion limit for this process: plans of ordinary queries exceed the default."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), FRAMES))


def with_large_stack(function: Function) -> Function:
    """A pure function, run again on a larger stack where it exceeds the recursion limit."""

    @wraps(function)
    def wrapped(*given: Any, **named: Any) -> Any:
        try:
            return function(*given, **named)
        except RecursionError:
            return _run_on_large_stack(lambda: function(*given, **named))

    return cast(Function, wrapped)


def _run_on_large_stack(function: Callable[[], Any]) -> Any:
    outcome: list[Any] = []
    failures: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(function())
        except RecursionError:
            remedy = "Split it into several models, or into CTEs that follow each other."
            failures.append(InvalidView("the query is nested too deep to be parsed", remedy=remedy))
        except BaseException as failure:
            # Raised again in the calling thread.
            failures.append(failure)

    with _large_stack_lock:
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
