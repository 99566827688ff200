"""Law: the SQL of a plan means the plan: this ties the interpreter to SQL's NULLs and duplicates."""

from __future__ import annotations

from tests.laws import statements
from tests.laws.examples import ON_DUCKDB, for_all
from tests.oracle.generate_orders import placed_examples, windowed_examples
from tests.oracle.generate_plans import Example, examples, recursive_examples


@for_all(examples(), cost=ON_DUCKDB)
def test_rendered_plans_mean_what_the_interpreter_says(example: Example) -> None:
    """DuckDB and the oracle agree on every plan and on every delta."""
    statements.rendered_is_interpreted(example)


@for_all(windowed_examples() | placed_examples(), cost=ON_DUCKDB // 2)
def test_rendered_windows_mean_what_the_interpreter_says(example: Example) -> None:
    """Frames, orders and ties: the same answer by SQL and by hand."""
    statements.rendered_is_interpreted(example)


@for_all(recursive_examples(), cost=ON_DUCKDB)
def test_rendered_recursions_mean_what_the_interpreter_says(example: Example) -> None:
    """Round by round by hand, and as a CTE that reads itself."""
    statements.rendered_is_interpreted(example)
