"""Series: what must be stored so that windows over a whole order can be maintained: every row of their input.

Each stored row is one row of the windows' input, with what the windows answer for it. Of rows that are equal in
everything each is stored by itself and has a number, its twin: a window may answer differently for them. Rows that
filters above the windows hide are kept with count 0: they move the others all the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Optional

from sqlglot import exp

from trickle.layouts.groups import COUNT, HIDDEN
from trickle.layouts.resumed_windows import Resumed, resumed
from trickle.layouts.split_projections import split_projections
from trickle.operators import Project, Window
from trickle.plan.op import Op
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.plan.schema import Column, Schema
from trickle.sql.build import case, cast, column, integer
from trickle.sql.text import to_line
from trickle.types import can_be_stored, has_order

TWIN = f"{HIDDEN}twin"
"""Which of several equal rows it is, counted from one."""


@dataclass(frozen=True)
class Series:
    """The rows of an order, each with its answers."""

    columns: Schema
    input: Op
    """The rows the windows look at, in the names they are stored by and in the order in which columns break ties."""
    calls: tuple[Named, ...]
    """What the windows answer, over the input's columns."""
    outputs: tuple[Named, ...]
    """Visible column → expression over the input's columns and the answers."""
    condition: Optional[Scalar]
    """What a row must fulfil to be seen; over the input's columns and the answers."""

    @cached_property
    def identity(self) -> tuple[str, ...]:
        """What tells a stored row from all others."""
        return (*self.input.schema.names, TWIN)

    @property
    def identified_by(self) -> tuple[Column, ...]:
        """The columns of `identity` with their types."""
        return (*self.input.schema.columns, Column(TWIN, "int"))

    @cached_property
    def own(self) -> Mapping[str, str]:
        """Call → the stored column of its answers: the visible column that shows it, or a hidden one."""
        shown = {item.value.column_name: item.name for item in reversed(self.outputs)}
        names = enumerate(call.name for call in self.calls)
        return {name: shown.get(name) or f"{HIDDEN}answer_{place + 1}" for place, name in names}

    @cached_property
    def ways(self) -> tuple[Optional[Resumed], ...]:
        """How each call is taken up again."""
        types = {one.name: one.type for one in self.input.schema}
        return tuple(
            resumed(call, types, self.own[call.name], f"{HIDDEN}earlier_{place + 1}_")
            for place, call in enumerate(self.calls)
        )

    @cached_property
    def by(self) -> tuple[exp.Ordered, ...]:
        """The order by which a place is told: the shortest of all calls, with which the others begin.

        Empty when they have no order in common, or one of them must be computed from the first row on.
        """
        if None in self.ways:
            return ()
        orders = sorted((list(call.value.tree.args["order"].expressions) for call in self.calls), key=len)
        texts = [[to_line(item) for item in order] for order in orders]
        if any(text[: len(texts[0])] != texts[0] for text in texts):
            return ()
        # The rows next to a place are counted in one order.
        return () if self._looks_around and texts[0] != texts[-1] else tuple(orders[0])

    @property
    def _looks_around(self) -> bool:
        return any(way is not None and way.back + way.ahead for way in self.ways)

    @property
    def goes_on(self) -> bool:
        """Whether a change may alter all rows behind it, and not only its neighbours."""
        return any(way is None or way.goes_on for way in self.ways)

    @property
    def reach(self) -> str:
        """What a change may alter, as the name of the strategy that replaces it."""
        if not self.by:
            return "replace_series"
        return "replace_suffix" if self.goes_on else "replace_neighbours"

    @property
    def back(self) -> int:
        return max(way.back for way in self.ways if way is not None)

    @property
    def ahead(self) -> int:
        return max(way.ahead for way in self.ways if way is not None)

    @cached_property
    def carried(self) -> tuple[str, ...]:
        """Calls whose answers are stored although no visible column shows them."""
        asked = (call.name for call, way in zip(self.calls, self.ways) if way is not None and way.carried)
        return tuple(name for name in asked if self.own[name] not in self.columns)

    @property
    def stored(self) -> tuple[str, ...]:
        hidden = [name for name in self.input.schema.names if name not in self.columns]
        return (*self.columns.names, COUNT, *hidden, *(self.own[name] for name in self.carried), TWIN)

    def finished(self) -> dict[str, exp.Expr]:
        """Every stored column, over the identity's columns and the answers. What a filter hides is not computed."""
        shown = None if self.condition is None else self.condition.place()
        trees: dict[str, exp.Expr] = {name: column(name) for name in self.identity}
        for item in self.outputs:
            tree = item.value.place()
            guarded = shown is not None and item.value.column_name is None
            trees[item.name] = case(shown.copy(), tree, exp.Null()) if guarded and shown is not None else tree
        one = cast(integer(1), "bigint")
        trees[COUNT] = one if shown is None else case(shown, one, cast(integer(0), "bigint"))
        return {**trees, **{self.own[name]: column(name) for name in self.carried}}


def series_of(root: Op, visible: Schema) -> Optional[Series]:
    """The layout of a plan in which only projections and filters stand above windows over everything."""
    peeled = split_projections(root)
    window = peeled.base
    if not isinstance(window, Window) or window.partition:
        return None
    if not all(call.value.tree.args.get("order") for call in window.items):
        # A total stands in every row: whatever changes, all rows do.
        return None
    if not all(has_order(one.parsed_type) for one in window.child.schema):
        return None
    if not all(can_be_stored(one.parsed_type) for one in window.schema):
        return None
    names = _names(window.child.schema, peeled.outputs, visible.names)
    values = {**{old: column_scalar(new) for old, new in names.items()}}
    answers = {call.name: f"{HIDDEN}window_{place + 1}" for place, call in enumerate(window.items)}
    calls = tuple(Named(answers[call.name], call.value.over(values)) for call in window.items)
    values |= {old: column_scalar(new) for old, new in answers.items()}
    outputs = tuple(Named(name, value.over(values)) for name, value in zip(visible.names, peeled.outputs))
    condition = None if peeled.condition is None else peeled.condition.over(values)
    rows = Project(window.child, tuple(Named(new, column_scalar(old)) for old, new in names.items()))
    return Series(visible, rows, calls, outputs, condition)


def _names(rows: Schema, outputs: Sequence[Scalar], visible: Sequence[str]) -> dict[str, str]:
    """Column of the input → stored column: the visible column that shows it, or a hidden one."""
    shown = {value.column_name: name for value, name in reversed(list(zip(outputs, visible)))}
    return {name: shown.get(name) or f"{HIDDEN}input_{place + 1}" for place, name in enumerate(rows.names)}
