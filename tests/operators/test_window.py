"""Window: touched partitions before and after; ties are broken."""

from __future__ import annotations

from sqlglot import parse_one

from tests.operators.plans import ORDERS, change_of, named, sql
from trickle.operators import Restrict, UnionAll, Window
from trickle.plan.op import walk
from trickle.plan.scalar import Named, Scalar
from trickle.plan.ties import unbreakable
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


def test_the_last_known_value_is_found_by_comparing() -> None:
    """A frame that ends with the row's peers stays as it is; NULLs come where the order says."""
    text = sql(windowed("LAST_VALUE(id) IGNORE NULLS OVER (PARTITION BY id ORDER BY amount DESC)"))

    assert "MIN_BY(scan.id, CASE WHEN NOT scan.id IS NULL THEN STRUCT(scan.amount, " in text
    assert "OVER (PARTITION BY scan.id ORDER BY scan.amount DESC)" in text


def test_the_nth_value_counts_how_far_the_frame_reaches() -> None:
    """The first rows of the frame are those of the partition."""
    text = sql(windowed("NTH_VALUE(id, 3) OVER (PARTITION BY id ORDER BY amount)"))

    assert "CASE WHEN COUNT(*) OVER (PARTITION BY scan.id ORDER BY scan.amount) >= 3 THEN NTH_VALUE(scan.id, 3)" in text


def test_no_value_is_taken_where_one_column_rises_and_another_falls() -> None:
    """Nothing compares so."""
    call = "LAST_VALUE(id) IGNORE NULLS OVER (PARTITION BY id ORDER BY amount, id DESC)"

    assert unbreakable(parse_one(call, dialect=Verbatim))
    assert not unbreakable(parse_one(call.replace(" DESC", ""), dialect=Verbatim))
