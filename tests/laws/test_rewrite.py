"""Law: a pass that may not change meaning does not, and has nothing left to do the second time."""

from __future__ import annotations

from dataclasses import replace

from tests.laws import on_models, statements
from tests.laws.examples import ON_DUCKDB, for_all
from tests.oracle.generate_plans import (
    Example,
    chained_examples,
    emptied_examples,
    examples,
    joined_examples,
    padded_examples,
)
from tests.oracle.generate_queries import Model, asking_models, models
from trickle.rewrite import rewrite


@for_all(examples(), cost=2)
def test_simplify_keeps_bag_and_schema(example: Example) -> None:
    """The identities of simplify are identities."""
    statements.simplify_keeps_bag_and_schema(example)


@for_all(emptied_examples(), cost=10)
def test_simplify_knows_what_nothing_makes_of_a_join(example: Example) -> None:
    """∅ ⋈ R, L ▷ ∅, L ⟕ ∅, and what a mark says of it."""
    statements.simplify_keeps_bag_and_schema(example)


@for_all(examples(), cost=2)
def test_pushed_restrictions_keep_bag_and_schema(example: Example) -> None:
    """Restricting early is restricting."""
    statements.pushing_keeps_bag_and_schema(example)


@for_all(joined_examples(), cost=2)
def test_pushed_restrictions_of_joins_keep_bag_and_schema(example: Example) -> None:
    """The same where it happens most: what a changed side asks of the other one."""
    statements.pushing_keeps_bag_and_schema(example)


@for_all(examples(), cost=2)
def test_joining_outward_keeps_bag_and_schema(example: Example) -> None:
    """Inner joins may be computed in any order."""
    statements.joining_outward_keeps_bag_and_schema(example)


@for_all(joined_examples(), cost=2)
def test_joining_outward_of_joins_keeps_bag_and_schema(example: Example) -> None:
    """The same where there is most to reorder."""
    statements.joining_outward_keeps_bag_and_schema(example)


@for_all(chained_examples(), cost=2)
def test_joining_outward_of_many_joins_keeps_bag_and_schema(example: Example) -> None:
    """And where several tables, conditions and unions lie between two changes."""
    statements.joining_outward_keeps_bag_and_schema(example)


@for_all(examples(), cost=2)
def test_bounded_scans_keep_bag_and_schema(example: Example) -> None:
    """What is not read could not have mattered."""
    statements.bounding_keeps_bag_and_schema(example)


@for_all(joined_examples(), cost=2)
def test_bounded_scans_of_joins_keep_bag_and_schema(example: Example) -> None:
    """The same where literals come from most: from what a changed side asks of the other one."""
    statements.bounding_keeps_bag_and_schema(example)


@for_all(examples(), cost=4)
def test_rewrites_keep_bag_and_schema(example: Example) -> None:
    """Every rewrite alone keeps any plan's rows and columns, and has nothing left to do the second time."""
    statements.rewrites_keep_bag_and_schema(example)


@for_all(padded_examples(), cost=4)
def test_rewrites_of_groups_over_outer_joins_keep_bag_and_schema(example: Example) -> None:
    """A left row is counted where it was, with a match and without."""
    statements.rewrites_keep_bag_and_schema(example)


@for_all(padded_examples(), cost=4)
def test_groups_over_outer_joins_change_as_they_are_rewritten(example: Example) -> None:
    """The change of the rewritten groups is that of the groups."""
    statements.delta_is_the_difference(replace(example, plan=rewrite(example.plan)))


@for_all(models(), cost=ON_DUCKDB)
def test_models_are_the_same_with_each_rewrite_on_or_off(model: Model) -> None:
    """Switching a rewrite off changes the plan and nothing a user can see."""
    on_models.rewrites_keep_the_model(model)


@for_all(models() | asking_models(), cost=ON_DUCKDB)
def test_models_over_arrangements_are_the_models(model: Model) -> None:
    """Groupings inside a query may be stored, and read instead of what they are made from."""
    on_models.arranged_is_the_model(model)
