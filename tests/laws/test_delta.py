"""Law: the plan of a change means the difference of the plan, whatever the plan and whichever sources changed."""

from __future__ import annotations

from tests.laws import statements
from tests.laws.examples import for_all
from tests.oracle.generate_plans import (
    Example,
    bounded_examples,
    examples,
    joined_examples,
    recursive_examples,
    stored_examples,
)


@for_all(examples())
def test_the_delta_of_a_plan_is_its_difference(example: Example) -> None:
    """⟦Δop⟧ = ⟦op⟧after − ⟦op⟧before."""
    statements.delta_is_the_difference(example)


@for_all(bounded_examples())
def test_a_total_that_moves_passes_the_rows_between(example: Example) -> None:
    """⟦Δ(L ⋉ c)⟧ = ⟦L ⋉ c⟧after − ⟦L ⋉ c⟧before, for the one row of a total."""
    statements.delta_is_the_difference(example)


@for_all(recursive_examples(), cost=2)
def test_a_change_is_followed_through_the_rounds_of_a_recursion(example: Example) -> None:
    """⟦ΔR⟧ = ⟦R⟧after − ⟦R⟧before, anchor and step changed at once."""
    statements.delta_is_the_difference(example)


@for_all(examples(), cost=2)
def test_before_and_after_mean_the_plan_at_its_moments(example: Example) -> None:
    """The two other plans of a change are what they are called."""
    statements.before_and_after_are_the_plan_at_its_moments(example)


@for_all(examples(), cost=2)
def test_a_delta_said_to_only_add_never_removes(example: Example) -> None:
    """What lets a refresh append instead of merge is true."""
    statements.only_adds_never_removes(example)


@for_all(stored_examples())
def test_a_refresh_by_change_reads_of_tables_what_the_change_meets(example: Example) -> None:
    """No class is better than the plan: nothing that groups, orders or matches stands over a table."""
    statements.what_is_by_change_is_only_met(example)


@for_all(recursive_examples(), cost=2)
def test_a_recursion_by_change_reads_of_tables_what_the_change_meets(example: Example) -> None:
    """Through all its rounds, and of the rows stored of it."""
    statements.what_is_by_change_is_only_met(example)


@for_all(joined_examples(), cost=2)
def test_sources_that_change_together_read_what_each_of_them_reads(example: Example) -> None:
    """So that the class of a view is the worst of its sources, each changed by itself."""
    statements.all_sources_at_once_read_no_more(example)
