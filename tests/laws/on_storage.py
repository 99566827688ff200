"""The laws of applying a change to a view's storage, on DuckDB."""

from __future__ import annotations

from functools import partial

from tests.laws.statements import same
from tests.oracle.duck import load
from tests.oracle.generate_data import World
from tests.oracle.generate_plans import Example
from tests.oracle.interpret import interpret
from tests.oracle.storage import apply, begin, fill, right_strategies, state, stopped, stored, view_of
from trickle.apply.strategy import Strategy
from trickle.operators import Empty
from trickle.sql.text import to_text


def every_strategy_is_exact(example: Example) -> None:
    """By every strategy: users see the recomputed rows, and the hidden state is that of a new build."""
    binding = load(example.world)
    view = view_of(example.plan)
    expected = interpret(example.plan, example.world.database)
    fill(view, stopped(binding), "before")
    fill(view, binding, "after")

    same(stored(view, "after"), expected, "the first build")
    for strategy in right_strategies(view, example.world, binding):
        begin(view, "before")
        apply(strategy, view, binding)

        same(stored(view), expected, partial(text_of, "the rows", strategy))
        same(state(view, "storage"), state(view, "after"), partial(text_of, "the state", strategy))


def text_of(what: str, strategy: Strategy) -> str:
    """What a failure shows: the statement that went wrong."""
    return f"{what} after {strategy.name}: {to_text(strategy.build())}"


def no_change_needs_no_statement(example: Example) -> None:
    """After a refresh, the next one finds nothing to do; and where there is nothing to do, nothing was different."""
    binding = load(example.world)
    view = view_of(example.plan)

    assert isinstance(view.change(example.world.at_rest).delta, Empty)
    if not list(right_strategies(view, example.world, binding)):
        database = example.world.database
        same(
            interpret(example.plan, database),
            interpret(example.plan, database.as_before()),
            "a refresh without statements",
        )


def two_refreshes_are_one(example: Example, later: World) -> None:
    """Applying d1 and then d2 leaves the rows and the state that applying d1 + d2 does."""
    view = view_of(example.plan)
    fill(view, stopped(load(example.world)), "start")
    results, turn = [], 0
    for path in ((example.world, later), (example.world.until(later),)):
        begin(view, "start")
        for world in path:
            # Which strategy a step takes must not matter: another one each time.
            binding = load(world)
            choices = sorted(right_strategies(view, world, binding), key=lambda one: one.name)
            if choices:
                apply(choices[turn % len(choices)], view, binding)
                turn += 1
        results.append(state(view, "storage"))

    same(results[0], results[1], "two refreshes instead of one")
