"""Series: every row of the input of windows over a whole order, with its window values.

Rows that are equal in all columns are stored one by one and numbered (TWIN): a window may give them different values.
Rows that filters above the windows hide are stored with count 0: they count for the others all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Optional

from sqlglot import exp

from trickle.apply.extend import offer_extend
from trickle.apply.overwrite_series import offer_overwrite_series
from trickle.apply.replace_range import offer_replace_range
from trickle.apply.series_rows import fill_series
from trickle.apply.strategy import Strategy, StrategyInput, offered
from trickle.layouts.check import IMPOSSIBLE, StoredState
from trickle.layouts.layout import Layout
from trickle.layouts.resumed_windows import Resumed, resumed
from trickle.layouts.split_projections import split_projections
from trickle.operators import Project, Window
from trickle.options import FloatSums
from trickle.plan.hidden_columns import COUNT, HIDDEN, TWIN
from trickle.plan.op import Op
from trickle.plan.read_class import ReadAgain, ReadClass
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.plan.schema import Column, Schema
from trickle.render.reads import Binding
from trickle.sql.build import case, cast, column, integer
from trickle.sql.text import to_line
from trickle.types import can_be_stored, has_equality, has_order


@dataclass(frozen=True)
class Series(Layout):
    """The rows of an order, each with its window values."""

    columns: Schema
    input: Op
    """The rows of the windows, under the names they are stored by and in the order in which columns break ties."""
    calls: tuple[Named, ...]
    """The window calls, over the input's columns."""
    outputs: tuple[Named, ...]
    """Visible column → expression over the input's columns and the window values."""
    condition: Optional[Scalar]
    """The condition under which a row is shown; over the input's columns and the window values."""

    @cached_property
    def identity(self) -> tuple[str, ...]:
        """The columns that identify a stored row."""
        return (*self.input.schema.names, TWIN)

    @property
    def identified_by(self) -> tuple[Column, ...]:
        """The columns of `identity` with their types."""
        return (*self.input.schema.columns, Column(TWIN, "int"))

    @cached_property
    def own(self) -> Mapping[str, str]:
        """Call → the stored column of its values: the visible column that shows it, or a hidden one."""
        shown = {item.value.column_name: item.name for item in reversed(self.outputs)}
        names = enumerate((call.name for call in self.calls), 1)
        return {name: shown.get(name) or f"{HIDDEN}answer_{number}" for number, name in names}

    @cached_property
    def resumed(self) -> tuple[Optional[Resumed], ...]:
        """How each call is resumed."""
        types = {own.name: own.type for own in self.input.schema}
        return tuple(
            resumed(call, types, self.own[call.name], f"{HIDDEN}earlier_{number}_")
            for number, call in enumerate(self.calls, 1)
        )

    @cached_property
    def by(self) -> tuple[exp.Ordered, ...]:
        """The order that defines positions: the shortest of all calls, with which the others begin.

        Empty when they have no order in common, or one of them must be computed from the first row on.
        """
        if None in self.resumed:
            return ()
        orders = sorted((list(call.value.tree.args["order"].expressions) for call in self.calls), key=len)
        texts = [[to_line(item) for item in order] for order in orders]
        if any(text[: len(texts[0])] != texts[0] for text in texts):
            return ()
        # The rows next to a position are counted in one order.
        return () if self._reads_neighbours and texts[0] != texts[-1] else tuple(orders[0])

    @property
    def _reads_neighbours(self) -> bool:
        return any(call is not None and call.back + call.ahead for call in self.resumed)

    @property
    def goes_on(self) -> bool:
        """Whether a change may alter all rows behind it, and not only its neighbours."""
        return any(call is None or call.goes_on for call in self.resumed)

    @property
    def reach(self) -> str:
        """The rows that a change may alter, as the name of the strategy that replaces them."""
        if not self.by:
            return "replace_series"
        return "replace_suffix" if self.goes_on else "replace_neighbours"

    @property
    def back(self) -> int:
        return max(call.back for call in self.resumed if call is not None)

    @property
    def ahead(self) -> int:
        return max(call.ahead for call in self.resumed if call is not None)

    @cached_property
    def carried(self) -> tuple[str, ...]:
        """Calls whose values are stored although no visible column shows them."""
        carried = (own.name for own, call in zip(self.calls, self.resumed) if call is not None and call.carried)
        return tuple(name for name in carried if self.own[name] not in self.columns)

    @property
    def stored(self) -> tuple[str, ...]:
        hidden = [name for name in self.input.schema.names if name not in self.columns]
        return (*self.columns.names, COUNT, *hidden, *(self.own[name] for name in self.carried), TWIN)

    def finished(self) -> dict[str, exp.Expr]:
        """Every stored column, over the identity's columns and the window values. Hidden rows compute no outputs."""
        shown = None if self.condition is None else self.condition.tree_copy()
        trees: dict[str, exp.Expr] = {name: column(name) for name in self.identity}
        for item in self.outputs:
            tree = item.value.tree_copy()
            guarded = shown is not None and item.value.column_name is None
            trees[item.name] = case(shown.copy(), tree, exp.Null()) if guarded and shown is not None else tree
        shown_once = cast(integer(1), "bigint")
        trees[COUNT] = shown_once if shown is None else case(shown, shown_once, cast(integer(0), "bigint"))
        return {**trees, **{self.own[name]: column(name) for name in self.carried}}

    def maintained(self, plan: Op) -> Op:
        return self.input

    def fill(self, binding: Binding, result: Callable[[], exp.Expr]) -> exp.Query:
        return fill_series(self, binding)

    def strategies(self, given: StrategyInput) -> tuple[Strategy, ...]:
        return offered(offer_replace_range(given, self), offer_overwrite_series(given, self), offer_extend(given, self))

    @property
    def general_strategy(self) -> str:
        return self.reach

    @property
    def stored_again(self) -> ReadAgain:
        match self.reach:
            case "replace_neighbours":
                return ReadAgain(ReadClass.BY_KEY, "its own rows, from the first place that changed to the last")
            case "replace_suffix":
                return ReadAgain(ReadClass.BY_KEY, "its own rows, from the first place that changed on")
            case _:
                return ReadAgain(ReadClass.WHOLE, "all of its own rows")

    def problems(self, state: StoredState) -> list[exp.Query]:
        """Every row of the order is stored with the values that computing all of them gives."""
        possible = exp.And(
            this=exp.Between(this=column(COUNT), low=integer(0), high=integer(1)),
            expression=exp.GTE(this=column(TWIN), expression=integer(1)),
        )
        types = {own.name: own.type for own in (*self.input.schema, *self.columns)}
        rows = state.rows([Column(name, types.get(name, "bigint")) for name in self.stored])
        return [
            rows.unless(possible, IMPOSSIBLE, state.relation),
            *state.differences(fill_series(self, state.sources), rows),
        ]


def series_of(root: Op, visible: Schema, floats: FloatSums = FloatSums.EXACT) -> Optional[Series]:
    """The layout of a plan in which only projections and filters stand above windows over everything."""
    if not all(has_equality(own.parsed_type) for own in visible):
        return None
    split = split_projections(root)
    window = split.base
    if not isinstance(window, Window) or window.partition:
        return None
    if not all(call.value.tree.args.get("order") for call in window.items):
        # A total is part of every row: with any change, all rows change.
        return None
    if not all(has_order(own.parsed_type) for own in window.child.schema):
        return None
    if not all(can_be_stored(own.parsed_type) for own in window.schema):
        return None
    names = _names(window.child.schema, split.outputs, visible.names)
    values = {**{old: column_scalar(new) for old, new in names.items()}}
    called = {call.name: f"{HIDDEN}window_{number}" for number, call in enumerate(window.items, 1)}
    calls = tuple(Named(called[call.name], call.value.over(values)) for call in window.items)
    values |= {old: column_scalar(new) for old, new in called.items()}
    outputs = tuple(Named(name, value.over(values)) for name, value in zip(visible.names, split.outputs))
    condition = None if split.condition is None else split.condition.over(values)
    rows = Project(window.child, tuple(Named(new, column_scalar(old)) for old, new in names.items()))
    return Series(visible, rows, calls, outputs, condition)


def _names(rows: Schema, outputs: Sequence[Scalar], visible: Sequence[str]) -> dict[str, str]:
    """Column of the input → stored column: the visible column that shows it, or a hidden one."""
    shown = {value.column_name: name for value, name in reversed(list(zip(outputs, visible)))}
    return {name: shown.get(name) or f"{HIDDEN}input_{number}" for number, name in enumerate(rows.names, 1)}
