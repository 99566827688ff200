"""Law: after a refresh, the stored rows are the recomputed ones; after the next, nothing was left to do."""

from __future__ import annotations

from tests.laws import on_storage
from tests.laws.examples import ON_DUCKDB, for_all
from tests.oracle.generate_orders import extended_examples, neighbour_examples, ordered_examples
from tests.oracle.generate_plans import Example, appended_examples, recursive_examples, stored_examples
from tests.oracle.generate_summaries import summary_examples


@for_all(stored_examples(), cost=ON_DUCKDB // 2)
def test_every_strategy_makes_the_stored_rows_exact(example: Example) -> None:
    """Append, recount, merge by key, replace groups, overwrite: each one held right is right, state included."""
    on_storage.every_strategy_is_exact(example)


@for_all(appended_examples(), cost=ON_DUCKDB // 2)
def test_every_strategy_makes_groups_that_only_grow_exact(example: Example) -> None:
    """The same where nothing is ever removed, and the stored extremes suffice."""
    on_storage.every_strategy_is_exact(example)


@for_all(recursive_examples(), cost=ON_DUCKDB)
def test_every_strategy_keeps_the_rows_of_a_recursion(example: Example) -> None:
    """What the next change is joined with is stored beside what users see, and as exact."""
    on_storage.every_strategy_is_exact(example)


@for_all(ordered_examples() | neighbour_examples(), cost=ON_DUCKDB // 2)
def test_every_strategy_makes_windows_over_all_rows_exact(example: Example) -> None:
    """From the first changed place on, or around it: the answers are those of the whole order."""
    on_storage.every_strategy_is_exact(example)


@for_all(summary_examples(), cost=ON_DUCKDB // 2)
def test_every_strategy_makes_what_is_said_of_groups_exact(example: Example) -> None:
    """Ranks, shares and running totals of groups are computed again from the stored groups, hidden ones left out."""
    on_storage.every_strategy_is_exact(example)


@for_all(extended_examples(), cost=ON_DUCKDB)
def test_rows_that_come_last_are_appended_with_their_answers(example: Example) -> None:
    """Where statistics prove that all new rows stand behind all others, nothing stored is touched."""
    on_storage.every_strategy_is_exact(example)


@for_all(stored_examples(), cost=ON_DUCKDB)
def test_a_refresh_without_statements_is_one_without_differences(example: Example) -> None:
    """Nothing is run only where nothing is different."""
    on_storage.no_change_needs_no_statement(example)
