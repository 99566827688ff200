"""Top: the first rows of an order, some more than are shown.

Each stored row is a distinct row of the input, with how often it occurs there (ROWS) and how often it is shown (COUNT).
KNOWN tells what is known of the rest of the input.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from sqlglot import exp

from trickle.apply.replace_top import fill_top, offer_replace_top
from trickle.apply.strategy import Strategy, StrategyInput
from trickle.apply.target import Target
from trickle.layouts.check import IMPOSSIBLE, STORED_ONLY, UNFOLLOWED, CheckedRows, StoredState
from trickle.layouts.layout import Layout
from trickle.operators import Ordering, Project, TopK
from trickle.options import FloatSums
from trickle.plan.hidden_columns import COUNT, EXHAUSTED, KNOWN, ROWS, WHOLE
from trickle.plan.op import Op
from trickle.plan.read_class import ReadAgain, ReadClass
from trickle.plan.scalar import Named, column_scalar
from trickle.plan.schema import Column, Schema
from trickle.render.reads import Binding
from trickle.render.render import render
from trickle.sql.build import alias, all_of, call, cast, column, integer, subquery, union_all
from trickle.types import can_be_stored, has_equality

NOW, STORED, IS_STORED, WITHIN = "__trickle_now", "__trickle_held", "__trickle_is_stored", "__trickle_within"
THROUGH = "__trickle_through"
SPARE = 100
"""At least so many spare rows are stored, and as many again as are shown if that is more."""


@dataclass(frozen=True)
class Top(Layout):
    """The first rows of an order."""

    columns: Schema
    input: Op
    """All rows of the order: visible columns under their visible names, then hidden columns of the order."""
    order: tuple[Ordering, ...]
    """A total order of the input's rows."""
    limit: int
    offset: int
    spare: int
    """Rows to store beside those that are shown: they take the place of those that go."""

    @cached_property
    def hidden_order(self) -> tuple[str, ...]:
        """Columns of the order that users do not see."""
        return tuple(name for name in self.input.schema.names if name not in self.columns)

    @property
    def stored(self) -> tuple[str, ...]:
        return (*self.columns.names, COUNT, *self.hidden_order, ROWS, KNOWN)

    @property
    def needed(self) -> int:
        """Rows without which the answer is not known."""
        return self.limit + self.offset

    @property
    def capacity(self) -> int:
        """Rows to store."""
        return self.needed + self.spare

    def maintained(self, plan: Op) -> Op:
        return self.input

    def fill(self, binding: Binding, result: Callable[[], exp.Expr]) -> exp.Query:
        return fill_top(self, binding)

    def strategies(self, given: StrategyInput) -> tuple[Strategy, ...]:
        return (offer_replace_top(given, self),)

    @property
    def general_strategy(self) -> str:
        return "replace_top"

    @property
    def stored_again(self) -> ReadAgain:
        """The stored rows are few, and a refresh that runs out of them is a FULL with its reason."""
        return ReadAgain(ReadClass.BY_CHANGE, f"everything, once the {self.spare} spare rows are used up")

    def problems(self, state: StoredState) -> list[exp.Query]:
        """Rows occur as often as stored up to the last stored one, and are shown where limit and offset say."""
        known = exp.Select(expressions=[exp.Min(this=column(KNOWN))]).from_(state.relation, copy=False).subquery()
        possible = exp.And(
            this=exp.And(
                this=exp.GTE(this=column(ROWS), expression=integer(1)),
                expression=exp.Between(this=column(COUNT), low=integer(0), high=column(ROWS)),
            ),
            expression=exp.And(
                this=exp.Between(this=column(KNOWN), low=integer(EXHAUSTED), high=integer(WHOLE)),
                expression=exp.EQ(this=column(KNOWN), expression=known.copy()),
            ),
        )
        types = {own.name: own.type for own in (*self.input.schema, *self.columns)}
        rows = state.rows([Column(name, types.get(name, "bigint")) for name in self.stored])
        return [
            rows.unless(possible, IMPOSSIBLE, state.relation),
            _miscounted(self, state, known, rows),
            rows.unless(_is_shown_right(self), UNFOLLOWED, _ranked(self, state.target)),
        ]


def top_of(root: Op, visible: Schema, floats: FloatSums = FloatSums.EXACT) -> Top | None:
    """The layout of a plan that ends in a TopK, perhaps under projections that only drop and rename columns."""
    if not all(has_equality(own.parsed_type) for own in visible):
        return None
    shown = tuple(root.schema.names)
    while isinstance(root, Project) and all(item.value.column_name for item in root.items):
        names = {item.name: item.value.column_name or "" for item in root.items}
        shown = tuple(names[name] for name in shown)
        root = root.child
    if not isinstance(root, TopK):
        return None
    renamed = _names(root, shown, visible.names)
    rows = Project(root.child, tuple(Named(new, column_scalar(old)) for old, new in renamed))
    if not all(can_be_stored(own.parsed_type) for own in rows.schema):
        return None
    new_name = dict(renamed)
    order = tuple(replace(item, column=new_name[item.column]) for item in root.total_order)
    spare = max(root.limit + root.offset, SPARE)
    return Top(visible, rows, order, root.limit, root.offset, spare)


def _names(top: TopK, shown: Sequence[str], visible: Sequence[str]) -> list[tuple[str, str]]:
    """Column of the plan → column of the storage: the visible ones first. A column shown twice is stored twice."""
    pairs = list(zip(shown, visible))
    rest = [name for name in top.schema.names if name not in shown]
    return [*pairs, *((name, f"__trickle_order_{number}") for number, name in enumerate(rest, 1))]


def _miscounted(layout: Top, state: StoredState, known: exp.Subquery, rows: CheckedRows) -> exp.Query:
    """Rows of the input that come no later than the last stored one, and are stored another number of times."""
    names = layout.input.schema.names

    def part(relation: exp.Expr, now: exp.Expr, stored: exp.Expr, is_stored: int) -> exp.Select:
        items = [*(column(name) for name in names), alias(now, NOW), alias(stored, STORED)]
        items.append(alias(integer(is_stored), IS_STORED))
        return exp.Select(expressions=items).from_(relation, copy=False)

    there = subquery(render(layout.input, state.sources), "input")
    both = [part(there, integer(1), integer(0), 0), part(state.relation, integer(0), column(ROWS), 1)]
    together = exp.Select(
        expressions=[
            *(column(name) for name in names),
            alias(exp.Sum(this=column(NOW)), NOW),
            alias(exp.Sum(this=column(STORED)), STORED),
            alias(exp.Max(this=column(IS_STORED)), IS_STORED),
        ]
    ).from_(subquery(union_all(both), "both"), copy=False)
    together.set("group", exp.Group(expressions=[integer(number) for number in range(1, len(names) + 1)]))
    later = exp.WindowSpec(kind="ROWS", start="CURRENT ROW", end="UNBOUNDED", end_side="FOLLOWING")
    within = exp.Window(this=exp.Max(this=column(IS_STORED)), order=_order(layout), spec=later, over="OVER")
    placed = exp.Select(expressions=[exp.Star(), alias(within, WITHIN)])
    placed = placed.from_(subquery(together, "together"), copy=False)
    reached = exp.Or(
        this=exp.EQ(this=known.copy(), expression=integer(WHOLE)),
        expression=exp.EQ(this=column(WITHIN), expression=integer(1)),
    )
    differs = exp.NEQ(this=column(NOW), expression=column(STORED))
    undecided = exp.NEQ(this=known.copy(), expression=integer(EXHAUSTED))
    counts = {ROWS: cast(column(STORED), "bigint"), COUNT: cast(exp.Null(), "bigint"), KNOWN: cast(exp.Null(), "int")}
    condition = all_of([exp.Paren(this=reached), differs, undecided])
    return rows.select(STORED_ONLY, subquery(placed, "placed"), counts).where(condition, copy=False)


def _ranked(layout: Top, target: Target) -> exp.Subquery:
    """Stored rows with how many there are up to each."""
    so_far = exp.WindowSpec(kind="ROWS", start="UNBOUNDED", start_side="PRECEDING", end="CURRENT ROW")
    through = exp.Window(this=exp.Sum(this=column(ROWS)), order=_order(layout), spec=so_far, over="OVER")
    ranked = exp.Select(expressions=[exp.Star(), alias(through, THROUGH)]).from_(target.relation(), copy=False)
    return subquery(ranked, "ranked")


def _is_shown_right(layout: Top) -> exp.Expr:
    """count = how much of a row lies between offset and offset + limit."""
    before = exp.Sub(this=column(THROUGH), expression=column(ROWS))
    first = call("GREATEST", before, integer(layout.offset))
    last = call("LEAST", column(THROUGH), integer(layout.needed))
    shown = call("GREATEST", exp.Sub(this=last, expression=first), integer(0))
    return exp.EQ(this=column(COUNT), expression=shown)


def _order(layout: Top) -> exp.Order:
    return exp.Order(expressions=[item.tree() for item in layout.order])
