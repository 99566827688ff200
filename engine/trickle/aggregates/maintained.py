"""Maintained: the states stored for an aggregate call, how they change, and how the visible value follows from them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from sqlglot import exp

from trickle.plan.schema import WEIGHT
from trickle.plan.stops import stop
from trickle.sql.build import case, cast, column, integer


class Combine(Enum):
    """How a stored state and its change become the new state."""

    ADD = "add"
    CHECKED_ADD = "checked_add"
    """ADD where the sum may have too many digits for its type: then there is no new state."""
    LEAST = "least"
    GREATEST = "greatest"

    def of(self, stored: exp.Expr, change: exp.Expr) -> exp.Expr:
        """The new state, of two."""
        match self:
            case Combine.ADD:
                return exp.Add(this=stored, expression=change)
            case Combine.CHECKED_ADD:
                return exp.Coalesce(this=exp.Add(this=stored, expression=change), expressions=[overflow()])
            case Combine.LEAST:
                return exp.Least(this=stored, expressions=[change], ignore_nulls=True)
            case Combine.GREATEST:
                return exp.Greatest(this=stored, expressions=[change], ignore_nulls=True)

    def of_all(self, state: exp.Expr) -> exp.Expr:
        """The new state, of those in all rows of a group."""
        match self:
            case Combine.ADD:
                return exp.Sum(this=state)
            case Combine.CHECKED_ADD:
                every = exp.EQ(this=exp.Count(this=state.copy()), expression=exp.Count(this=exp.Star()))
                total = case(every, exp.Sum(this=state), exp.Null())
                return exp.Coalesce(this=total, expressions=[overflow()])
            case Combine.LEAST:
                return exp.Min(this=state)
            case Combine.GREATEST:
                return exp.Max(this=state)


@dataclass(frozen=True)
class State:
    """One hidden column. `initial` computes it over plain rows, `change` over weighted ones."""

    suffix: str
    initial: exp.Expr
    change: exp.Expr
    combine: Combine = Combine.ADD


@dataclass(frozen=True)
class Maintained:
    """The states of one aggregate call and the visible value they determine."""

    states: tuple[State, ...]
    finish: Callable[[tuple[exp.Expr, ...]], exp.Expr]

    @property
    def only_for_inserts(self) -> bool:
        """Whether a removed row could need the group to be read again."""
        return any(state.combine in (Combine.LEAST, Combine.GREATEST) for state in self.states)


SUM_OVERFLOWS = "sum_overflows"
"""Code of a statement that found a sum with too many digits."""


def overflow() -> exp.Expr:
    """In the place of a sum that has too many digits: the end of the statement."""
    # The narrowest decimal takes the type of whatever stands beside it.
    return stop(SUM_OVERFLOWS, "a sum has more than 38 digits", "decimal(1,0)")


def weight() -> exp.Expr:
    return cast(column(WEIGHT), "int")


def counted(condition: exp.Expr | None) -> State:
    """How many rows fulfil a condition; all rows without one."""
    if condition is None:
        return State("count", exp.Count(this=exp.Star()), exp.Sum(this=column(WEIGHT)))
    initial = exp.Count(this=case(condition.copy(), integer(1), exp.Null()))
    change = exp.Sum(this=case(condition.copy(), column(WEIGHT), integer(0)))
    return State("count", initial, change)


def both(first: exp.Expr | None, second: exp.Expr | None) -> exp.Expr | None:
    """Conjunction of two optional conditions."""
    if first is None or second is None:
        return first if second is None else second
    return exp.And(this=exp.Paren(this=first.copy()), expression=exp.Paren(this=second.copy()))
