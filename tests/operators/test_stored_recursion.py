"""StoredRecursion: the rows of a recursion as the storage holds them."""

from __future__ import annotations

import pytest

from tests.operators.plans import ORDERS
from trickle.errors import InternalError
from trickle.operators import StoredRecursion
from trickle.render.reads import Binding
from trickle.render.render import render
from trickle.sql.build import table
from trickle.sql.text import to_line


def test_it_is_a_plain_relation_read_from_the_storage() -> None:
    """Its rows come as often as they occur: it carries no weight."""
    op = StoredRecursion("1", ORDERS.schema)

    assert not op.signed
    assert to_line(render(op, Binding(stored_relations={"1": table(("held",))}))).endswith("FROM `held` AS `kept`")


def test_a_storage_that_does_not_keep_it_is_an_error_of_ours() -> None:
    """A plan may only read what its layout stores."""
    with pytest.raises(InternalError, match="stored relation '1'"):
        render(StoredRecursion("1", ORDERS.schema), Binding())
