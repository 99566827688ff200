"""Values: rows written in the query never change."""

from __future__ import annotations

from tests.operators.plans import change_of, scalar, sql
from trickle.operators import Empty, Values
from trickle.plan.schema import Column

ROWS = Values((Column("id", "int"),), ((scalar("1"),), (scalar("1"),), (scalar("NULL"),)))


def test_they_have_no_change() -> None:
    """Δ = ∅."""
    assert isinstance(change_of(ROWS, "orders").delta, Empty)


def test_equal_rows_stay_apart() -> None:
    """UNION ALL of one SELECT a row."""
    assert sql(ROWS) == "SELECT 1 AS id UNION ALL SELECT 1 AS id UNION ALL SELECT NULL AS id"
