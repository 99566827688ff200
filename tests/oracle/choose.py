"""Drawing one of a few options. Strategies are made once: making them costs more than drawing from them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


@cache
def _below(count: int) -> st.SearchStrategy[int]:
    return st.integers(0, count - 1)


def choose(draw: st.DrawFn, options: Sequence[T]) -> T:
    """One of the options; shrinks towards the first."""
    return options[draw(_below(len(options)))]


def number(draw: st.DrawFn, least: int, most: int) -> int:
    """A whole number; shrinks towards the least."""
    return least + draw(_below(most - least + 1))


def once_in(draw: st.DrawFn, times: int) -> bool:
    """True about once in so many times; shrinks towards False."""
    return draw(_below(times)) == times - 1
