"""Layout: how the rows of a view are stored, and all that follows from it. One layout a file.

A new layout is one file with a class below and a function that recognizes plans it can store, and a line in choose.py.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Optional

from sqlglot import exp

from trickle.apply.strategy import Strategy, StrategyInput
from trickle.apply.target import Target
from trickle.catalog.reads import repeated
from trickle.catalog.tables import Name
from trickle.layouts.check import StoredState
from trickle.plan.change import Change
from trickle.plan.op import Op
from trickle.plan.ranges import ColumnStatistics
from trickle.plan.read_class import ReadAgain
from trickle.plan.schema import Schema
from trickle.render.reads import Binding


class Layout(ABC):
    """What is stored of a view, decided once, when it is compiled. Class name and `stored` are part of its definition.

    Every layout stores COUNT, how often a row is shown: rows with count 0 are hidden. So whoever reads a stream table
    reads its change from the storage's change without knowing the layout (`catalog/reads.py`).
    """

    columns: Schema
    """The columns users see, under the names they are stored by."""

    @property
    @abstractmethod
    def stored(self) -> tuple[str, ...]:
        """All columns of the storage, in order."""

    @property
    def identified_by_keys(self) -> tuple[str, ...]:
        """Stored columns whose values no two stored rows share, where the layout has such."""
        return ()

    @property
    def holds_recursions(self) -> bool:
        """Whether rows of recursions inside the view are stored beside its own."""
        return False

    @abstractmethod
    def maintained(self, plan: Op) -> Op:
        """The part of the plan whose change the strategies apply."""

    @abstractmethod
    def fill(self, binding: Binding, result: Callable[[], exp.Expr]) -> exp.Query:
        """The query of the whole storage. `result` gives the view's own rows as a relation."""

    @abstractmethod
    def strategies(self, given: StrategyInput) -> tuple[Strategy, ...]:
        """All ways to apply the change that are right, each with its price, in no order."""

    @property
    @abstractmethod
    def general_strategy(self) -> str:
        """The strategy for changes that also remove rows, for `explain`."""

    def read_again(self, change: Change, statistics: Mapping[str, ColumnStatistics]) -> tuple[Op, ...]:
        """What the general strategy reads of the sources beside the change itself, for `explain`."""
        return ()

    @property
    def stored_again(self) -> Optional[ReadAgain]:
        """The stored rows whose shown values are computed again beside those the change touches, for `explain`."""
        return None

    def inner_relations(self, target: Target) -> Mapping[str, exp.Expr]:
        """The relations inside the view that its storage holds, every row as often as it occurs."""
        return {}

    def shown(self, storage: Name, names: tuple[str, ...]) -> exp.Select:
        """The SELECT of the view users read, which calls the columns by these names."""
        return repeated(storage, self.columns.names, None, names)

    @abstractmethod
    def problems(self, state: StoredState) -> list[exp.Query]:
        """Queries that find stored rows which cannot be right: wrong counts, states or visible columns."""
