"""Law: a pass that may not change meaning does not, and has nothing left to do the second time."""

from __future__ import annotations

from tests.laws import statements
from tests.laws.examples import for_all
from tests.oracle.generate_plans import Example, examples


@for_all(examples(), cost=2)
def test_simplify_keeps_bag_and_schema(example: Example) -> None:
    """The identities of simplify are identities."""
    statements.simplify_keeps_bag_and_schema(example)
