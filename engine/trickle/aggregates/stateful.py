"""Stateful: an aggregate that is maintained from states, and what a file of this package declares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Optional

from sqlglot import exp

from trickle.aggregates.maintained import Maintained
from trickle.options import FloatSums
from trickle.types import Type


@dataclass(frozen=True)
class AggregateCall:
    """A call to be maintained, over typed columns."""

    tree: exp.Expr
    """Without FILTER."""
    condition: Optional[exp.Expr]
    """The condition of its FILTER."""
    argument_type: Type
    result_type: Type
    floats: FloatSums


@dataclass(frozen=True)
class Stateful:
    """The functions of one form, and the states of a call; None for a call whose group is recomputed.

    The three sentences are a row of the table in docs/operators/aggregate.md.
    """

    functions: tuple[str, ...]
    calls: str
    """Which calls have states."""
    states: str
    """What is stored."""
    removal: str
    """What a removed row does."""
    maintain: Callable[[AggregateCall], Optional[Maintained]]
