"""Empty: no rows, of known columns."""

from __future__ import annotations

from tests.operators.plans import ORDERS, change_of, sql
from trickle.operators import Empty


def test_it_is_the_delta_of_what_did_not_change() -> None:
    """An unchanged source yields itself twice, and Empty."""
    change = change_of(ORDERS)

    assert isinstance(change.delta, Empty)
    assert change.before is change.after is ORDERS


def test_it_keeps_its_columns_and_their_types() -> None:
    """SELECT typed NULLs WHERE FALSE."""
    assert sql(Empty(ORDERS.schema)) == "SELECT CAST(NULL AS INT) AS id, CAST(NULL AS INT) AS amount WHERE FALSE"
