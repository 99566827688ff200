"""A bug of ours on one of many queries is a finding about that query; the others are still to be judged."""

from __future__ import annotations

import traceback

BUGS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)


def describe_bug(bug: Exception) -> str:
    """What went wrong and where in our own code."""
    last = traceback.extract_tb(bug.__traceback__)[-1]
    return f"a bug in dbt-trickle: {type(bug).__name__}: {bug} ({last.filename}:{last.lineno})"
