"""Working: the round before, inside the step of a recursion."""

from __future__ import annotations

from tests.operators.plans import ORDERS
from trickle.delta.differentiate import SourceChange, differentiate
from trickle.operators import Empty, Filter, Working
from trickle.operators.working import with_working_rows
from trickle.plan.scalar import Scalar
from trickle.sql.build import column, not_null


def test_it_is_held_still_while_the_step_is_differentiated() -> None:
    """Only the tables of the step make its change."""
    op = Working("tree", ORDERS.schema)

    change = differentiate(op, {"orders": SourceChange()})

    assert change.before is change.after is op
    assert isinstance(change.delta, Empty)


def test_other_rows_take_its_place_by_its_name() -> None:
    """step(rows), and the rounds of another recursion stay."""
    mine, other = Working("tree", ORDERS.schema), Working("days", ORDERS.schema)
    step = Filter(mine, Scalar(not_null(column("id"))))

    assert with_working_rows(other, "tree", step).children == (other,)
    assert with_working_rows(other, "days", step) is step
