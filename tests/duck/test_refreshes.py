"""The DuckDB ring: models as text, built and refreshed with the engine's own SQL, against the model's own text."""

from __future__ import annotations

from tests.laws import on_models
from tests.laws.examples import ON_DUCKDB, for_all
from tests.oracle.generate_data import World
from tests.oracle.generate_queries import Model, model_stories


@for_all(model_stories(), cost=2 * ON_DUCKDB)
def test_a_model_stays_exact_over_refreshes(story: tuple[Model, World]) -> None:
    """After every refresh the table is its SELECT, rows and hidden state alike."""
    on_models.refreshes_keep_the_model_exact(*story)
