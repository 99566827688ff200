"""What users write wrongly is told in a sentence, with its place, and before anything else."""

from __future__ import annotations

import pytest

from tests.snapshots.shop import resolve
from trickle import InvalidView, compile_view

BAD = (
    ("select order_id from shop.orders where", 34, "something is missing here, near 'where'"),
    ("selct order_id from shop.orders", 16, "nothing that begins like this can stand here, near 'from'"),
    ("select 'abc from shop.orders", 8, "a quotation begins here and has no end"),
    ('select order_id from shop.orders where status = "paid', 49, "a quotation begins here and has no end"),
    ("select 'it''s', 'don\\'t', `a from shop.orders", 27, "a quotation begins here and has no end"),
    ("select 1 /* one from shop.orders", 10, "a comment begins here and has no end"),
    ("select {{ ref('x') }} from shop.orders", 8, "nothing of Spark SQL begins with a brace"),
    ("select order_id from shop.order", 22, "there is no table or view shop.order"),
    ("select amout from shop.orders", 8, "there is no column amout"),
    ("select sum(sum(amount)) from shop.orders", 8, "an aggregate stands inside an aggregate"),
    ("select row_number() from shop.orders", 8, "row_number() says nothing without OVER (…)"),
    ("select order_id from shop.orders limit -1", 41, "LIMIT takes a whole number from 0 to 2147483647, not -1"),
    ("select order_id from shop.orders limit 'a'", 40, "LIMIT takes a whole number from 0 to 2147483647, not 'a'"),
    (
        "select order_id from shop.orders where order_id in (select customer_id, name from shop.customers)",
        40,
        "IN compares 1 values with a subquery of 2 columns",
    ),
    (
        "select (select customer_id, name from shop.customers) from shop.orders",
        16,
        "a subquery that stands for a value must have one column, not 2",
    ),
    ("select id from range(1, 2, 0)", 16, "the step of range() is zero"),
)


@pytest.mark.parametrize(("text", "column", "sentence"), BAD, ids=[text for text, _, _ in BAD])
def test_bad_input_is_told(text: str, column: int, sentence: str) -> None:
    """What is wrong, and where."""
    with pytest.raises(InvalidView) as refused:
        compile_view(text, resolve)

    assert sentence in refused.value.message
    assert refused.value.position is not None
    assert (refused.value.position.line, refused.value.position.column) == (1, column)


def test_jinja_is_recognised() -> None:
    """A model that was not compiled is a mistake of its own."""
    with pytest.raises(InvalidView, match="compile the model first"):
        compile_view("select * from {{ ref('orders') }}", resolve)
