"""Law: no source changed, nothing to do."""

from __future__ import annotations

from tests.laws import statements
from tests.laws.examples import for_all
from tests.oracle.generate_plans import Example, examples


@for_all(examples(), cost=2)
def test_no_change_of_a_source_is_no_change_of_a_plan(example: Example) -> None:
    """A plan over unchanged sources has an empty delta, and a delta only reads changes that happened."""
    statements.nothing_changed_is_empty(example)


@for_all(examples(), cost=2)
def test_empty_parts_of_a_delta_are_gone(example: Example) -> None:
    """Pruning leaves nothing empty behind."""
    statements.nothing_empty_is_left_inside(example)
