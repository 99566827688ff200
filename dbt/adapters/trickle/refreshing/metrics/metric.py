"""Metric: a figure of a refresh, and what it is when none took place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dbt.adapters.trickle.refreshing.execute import Execution
from dbt.adapters.trickle.refreshing.refresh import Refresh


@dataclass(frozen=True)
class Metric:
    """`measure` answers in values that JSON has; None where nobody knows."""

    name: str
    """The key in `adapter_response`: a public promise."""
    measure: Callable[[Execution[Refresh]], object]
    left_out: object
    """Its value when the table was left as it is."""
