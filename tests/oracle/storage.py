"""A view's storage on DuckDB: filled, changed by each strategy, and looked at.

DuckDB runs the engine's own statements; only INSERT OVERWRITE, which it does not have, is split into its two halves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import duckdb
from sqlglot import exp

from tests.oracle.duck import answer, duck, in_duckdb
from tests.oracle.generate_data import World
from tests.oracle.zset import ZSet
from trickle.apply.price import Rates, Sizes
from trickle.apply.replace_top import ROWS_RUN_OUT
from trickle.apply.strategy import Prices, Strategy, StrategyInput
from trickle.apply.target import Target, stored_rows
from trickle.delta.passes import change_to_apply
from trickle.layouts.bag import Bag
from trickle.layouts.choose import layout_of
from trickle.layouts.layout import Layout
from trickle.layouts.top import Top
from trickle.operators import Empty
from trickle.plan.change import Change
from trickle.plan.hidden_columns import COUNT, ROWS
from trickle.plan.instant import Clock
from trickle.plan.op import Op
from trickle.render.reads import Binding, Reads
from trickle.render.render import render
from trickle.sql.build import table
from trickle.sql.text import to_text

STORAGE = ("storage",)
TARGET = Target(("facade",), STORAGE, exists=True)


@dataclass(frozen=True)
class View:
    """A plan with the layout it is stored in."""

    plan: Op
    layout: Layout

    @property
    def root(self) -> Op:
        """The part of the plan whose change the strategies apply."""
        return self.layout.maintained(self.plan)

    def change(self, world: World) -> Change:
        """The change of the root, simplified, for what changed in the world."""
        calls, counts = world.changed_calls, world.counts
        return change_to_apply(self.root, world.changed, world.statistics, changed_calls=calls, counts=counts)


def view_of(plan: Op) -> View:
    """With hardly a spare row, so that stored orders run out of rows all the time."""
    layout = layout_of(plan, plan.schema)
    return View(plan, replace(layout, spare=1) if isinstance(layout, Top) else layout)


def stopped(binding: Binding) -> Binding:
    """The same sources, read as they were."""
    clock = None if binding.clock is None else Clock(binding.clock.before, binding.clock.before)
    sources = {name: Reads(reads.before or reads.after, reads.before) for name, reads in binding.sources.items()}
    return Binding(sources, clock=clock)


def fill(view: View, binding: Binding, name: str) -> None:
    """Build the storage anew from the sources as the binding reads them after."""
    query = view.layout.fill(binding, lambda: exp.Subquery(this=render(view.plan, binding)))
    duck().execute(f"CREATE OR REPLACE TABLE {name} AS {in_duckdb(to_text(query, pretty=False))}")


def right_strategies(view: View, world: World, binding: Binding) -> Iterator[Strategy]:
    """Every strategy the engine holds right for this change; none when nothing changed."""
    change = view.change(world)
    if isinstance(change.delta, Empty):
        return
    stored = exp.Subquery(this=stored_rows(TARGET, view.plan.schema.names))
    sizes = {one.name: Sizes(len(one.after), sum(abs(weight) for _, weight in one.feed())) for one in world.tables}
    inner = view.layout.inner_relations(TARGET)
    reads = replace(binding, stored=stored, stored_relations=inner, statistics=world.statistics)
    yield from view.layout.strategies(StrategyInput(change, TARGET, reads, Prices(sizes, Rates())))


def begin(view: View, name: str) -> None:
    """The storage as it was filled; a count that is an error cannot be stored."""
    duck().execute(f"CREATE OR REPLACE TABLE storage AS FROM {name}")
    counts = [column for column in view.layout.stored if column in (COUNT, ROWS)]
    for column in counts:
        duck().execute(f"ALTER TABLE storage ALTER COLUMN {column} SET NOT NULL")


def apply(strategy: Strategy, view: View, binding: Binding) -> None:
    """One strategy on the table called storage; where it says that the stored rows do not suffice, all anew."""
    try:
        run(strategy.build())
    except duckdb.Error as error:
        if ROWS_RUN_OUT not in str(error):
            raise
        fill(view, binding, "storage")


def duck_text(tree: exp.Expr) -> str:
    """Casts are strict, as in Spark's ANSI mode: a lenient one would swallow the errors statements give up with."""
    return in_duckdb(to_text(tree, pretty=False)).replace("TRY_CAST(", "CAST(")


def run(statement: exp.Expr) -> None:
    """One statement of the engine's, on the table called storage."""
    if isinstance(statement, exp.Insert) and statement.args.get("overwrite"):
        query = statement.expression
        # Unlike in a MERGE, what DuckDB computes here is what it writes: an error is one.
        text = duck_text(query).replace("RAISE_ERROR(", "ERROR(")
        try:
            duck().execute(f"CREATE OR REPLACE TEMP TABLE written AS {text}")
        except duckdb.Error as refused:
            if ROWS_RUN_OUT in str(refused) or "dbt-trickle" not in str(refused):
                raise
            raise AssertionError(f"the statement finds the stored rows wrong: {refused}\n{text}") from refused
        duck().execute("DELETE FROM storage")
        duck().execute("INSERT INTO storage SELECT * FROM written")
        return
    try:
        duck().execute(duck_text(statement))
    except duckdb.ConstraintException as refused:
        raise AssertionError(f"the statement finds the stored rows wrong: {refused}\n{to_text(statement)}") from refused


def stored(view: View, name: str = "storage") -> ZSet:
    """The rows users see: each stored row as often as its count says, which cannot be less than never."""
    if COUNT in view.layout.stored:
        (least,) = duck().execute(f"SELECT MIN({COUNT}) FROM {name}").fetchone() or (None,)
        assert least is None or least >= 0, f"{name} has a row {least} times"
    query = stored_rows(replace(TARGET, storage=(name,)), view.plan.schema.names)
    return answer(query, signed=True)


def state(view: View, name: str) -> ZSet:
    """Everything that is stored. Equal rows of a bag may be stored in several pieces, so their counts are added."""
    if isinstance(view.layout, (Bag, Top)):
        return stored(view, name)
    columns = [exp.column(column, quoted=True) for column in view.layout.stored]
    return answer(exp.select(*columns).from_(table((name,))))
