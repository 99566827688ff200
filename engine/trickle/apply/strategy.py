"""A way to apply a change to the stored rows, with its price. Each file of this package offers one or two."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Optional

from sqlglot import exp

from trickle.apply.price import MILLION, Estimate, Rates, Sizes, estimate
from trickle.apply.steps import Kind
from trickle.apply.target import Target
from trickle.delta.nonnegative import only_adds
from trickle.operators import Consolidate
from trickle.plan.change import Change
from trickle.plan.op import Op
from trickle.render.reads import Binding


@dataclass(frozen=True)
class Strategy:
    """One way to apply a change. The statement is only built for the strategy that is taken."""

    name: str
    kind: Kind
    seconds: float
    build: Callable[[], exp.Expr]
    planned_once: bool = False
    """Whether Spark has nothing to learn while the statement runs."""


@dataclass(frozen=True)
class Prices:
    """What estimates need: sizes of the sources, rates of this warehouse."""

    sizes: Mapping[str, Sizes]
    rates: Rates


@dataclass(frozen=True)
class StrategyInput:
    """What a strategy is offered for: a change, the table it is applied to, how sources are read, and prices."""

    change: Change
    target: Target
    binding: Binding
    prices: Prices

    @property
    def delta(self) -> Op:
        return self.change.delta

    @property
    def rates(self) -> Rates:
        return self.prices.rates

    @cached_property
    def only_adds(self) -> bool:
        """Whether no row of the change can have a negative weight."""
        return only_adds(self.delta)

    @property
    def stored(self) -> float:
        """Millions of stored rows."""
        return self.target.rows / MILLION

    @property
    def overwriting(self) -> float:
        """Seconds of an INSERT OVERWRITE beside its query and its rows."""
        return self.rates.reread if self.target.paths else self.rates.overwrite

    @cached_property
    def change_work(self) -> Estimate:
        """The work of the change, as its plan has it."""
        return self.estimate(self.delta)

    @cached_property
    def consolidated_work(self) -> Estimate:
        """The work of the change with equal rows added up."""
        return self.estimate(Consolidate(self.delta))

    def estimate(self, plan: Op) -> Estimate:
        return estimate(plan, self.prices.sizes, self.target.rows, self.rates)


def offered(*strategies: Optional[Strategy]) -> tuple[Strategy, ...]:
    """Those that are right for the change."""
    return tuple(strategy for strategy in strategies if strategy is not None)
