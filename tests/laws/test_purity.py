"""Law: no function alters what it is given."""

from __future__ import annotations

from tests.laws import statements
from tests.laws.examples import ON_DUCKDB, for_all
from tests.oracle.generate_plans import Example, examples


@for_all(examples(), cost=ON_DUCKDB)
def test_plans_are_never_altered(example: Example) -> None:
    """A plan reads the same before and after everything that was done with it."""
    statements.plans_are_never_altered(example)
