"""Law: rendering the lowered model is the model itself."""

from __future__ import annotations

from tests.laws import on_models
from tests.laws.examples import ON_DUCKDB, for_all
from tests.oracle.generate_queries import Model, asking_models, models


@for_all(models(), cost=ON_DUCKDB)
def test_a_lowered_model_means_the_model(model: Model) -> None:
    """Names, stars, CTEs, groupings and unions are read as SQL reads them."""
    on_models.lowered_is_the_model(model)


@for_all(asking_models(), cost=ON_DUCKDB)
def test_a_lowered_question_means_the_question(model: Model) -> None:
    """Subqueries are joined so that every row gets the answer that SQL gives it."""
    on_models.lowered_is_the_model(model)


@for_all(models(), cost=ON_DUCKDB)
def test_formatting_is_no_part_of_a_definition(model: Model) -> None:
    """A model with other comments and line breaks is not rebuilt."""
    on_models.the_same_text_is_the_same_model(model)
