"""UnionAll: linear; all inputs have the same columns."""

from __future__ import annotations

import pytest

from tests.operators.plans import LINES, ORDERS, change_of, scalar, sql
from trickle.errors import InternalError
from trickle.operators import Filter, UnionAll

TWICE = UnionAll((ORDERS, Filter(ORDERS, scalar("amount > 10"))))


def test_its_delta_is_the_union_of_the_deltas() -> None:
    """Δ(A ⊎ B) = ΔA ⊎ ΔB, also when A and B are one table."""
    delta = change_of(TWICE, "orders").delta

    assert isinstance(delta, UnionAll) and len(delta.inputs) == 2
    assert delta.signed


def test_inputs_with_other_columns_are_refused() -> None:
    """An invalid tree cannot be built."""
    with pytest.raises(InternalError, match="do not have the same columns"):
        UnionAll((ORDERS, LINES))


def test_unsigned_branches_count_once_beside_signed_ones() -> None:
    """Every branch of a signed union exposes a weight."""
    mixed = UnionAll((ORDERS, change_of(ORDERS, "orders").delta))

    assert "1 AS __trickle_weight FROM orders AS orders UNION ALL" in sql(mixed)
