"""Bugs of ours that one of many queries triggers: they are reported for that query, and the others go on."""

from __future__ import annotations

import traceback

BUGS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)


def describe_bug(bug: Exception) -> str:
    """The exception and the line of our code that raised it."""
    last = traceback.extract_tb(bug.__traceback__)[-1]
    return f"a bug in dbt-trickle: {type(bug).__name__}: {bug} ({last.filename}:{last.lineno})"
