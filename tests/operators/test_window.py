"""Window: touched partitions before and after; ties are broken."""

from __future__ import annotations

from sqlglot import parse_one

from tests.operators.plans import ORDERS, change_of, named, sql
from trickle.operators import Restrict, UnionAll, Window
from trickle.plan.op import walk
from trickle.plan.scalar import Named, Scalar
from trickle.sql.dialect import Verbatim


def windowed(text: str) -> Window:
    call = Scalar(parse_one(text, dialect=Verbatim))
    return Window(ORDERS, (named("part", "amount"),), (Named("place", call),))


NUMBERED = windowed("ROW_NUMBER() OVER (PARTITION BY amount ORDER BY amount)")


def test_its_keys_are_its_partitions() -> None:
    """The partitions a change touches are computed before and after."""
    delta = change_of(NUMBERED, "orders").delta

    assert isinstance(delta, UnionAll)
    assert [tuple(key.name for key in op.by) for op in walk(delta) if isinstance(op, Restrict)] == [("part",)] * 2


def test_rows_that_tie_are_put_in_the_order_of_their_other_columns() -> None:
    """The user's order first; what the partition settles is left out."""
    assert "ORDER BY scan.amount, scan.id) AS place" in sql(NUMBERED)


def test_what_ties_do_not_touch_is_left_as_it_is() -> None:
    """RANK says the same of all rows that tie."""
    assert "RANK() OVER (PARTITION BY scan.amount ORDER BY scan.amount) AS place" in sql(
        windowed("RANK() OVER (PARTITION BY amount ORDER BY amount)")
    )
