"""TopK: the first rows of a total order."""

from __future__ import annotations

from tests.operators.plans import ORDERS, change_of, sql
from trickle.operators import Consolidate, Negate, Ordering, TopK, UnionAll

BIGGEST = TopK(ORDERS, (Ordering("amount", descending=True, nulls_first=False),), limit=3, offset=1)


def test_its_delta_is_both_answers() -> None:
    """Any row may push any other out, so nothing is spared here: what is stored at the top of a view spares it."""
    delta = change_of(BIGGEST, "orders").delta

    assert isinstance(delta, Consolidate) and isinstance(delta.child, UnionAll)
    before, after = delta.child.inputs
    assert isinstance(before, Negate) and isinstance(before.child, TopK) and isinstance(after, TopK)


def test_every_column_decides_where_the_users_do_not() -> None:
    """So that the same rows give the same answer."""
    assert sql(BIGGEST).endswith("ORDER BY amount DESC, id ASC LIMIT 3 OFFSET 1")
