"""merge_projections: two projections in a row are one, unless something would be computed twice."""

from __future__ import annotations

from tests.operators.plans import ORDERS, named
from trickle.operators import Distinct, Project
from trickle.plan.op import Op
from trickle.plan.scalar import Named
from trickle.plan.show import show
from trickle.rewrite.merge_projections import merge_projections

SUM = Project(ORDERS, (named("s", "id + amount"), named("id"), named("one", "1")))


def over(child: Op, *items: Named) -> Project:
    return Project(child, items)


def test_an_expression_takes_the_place_of_its_name() -> None:
    """SELECT s * 2 FROM (SELECT id + amount AS s): with its parentheses."""
    merged = merge_projections(over(SUM, named("t", "s * 2"), named("k", "id")))

    assert show(merged) == show(Project(ORDERS, (named("t", "(id + amount) * 2"), named("k", "id"))))


def test_what_is_computed_is_computed_once() -> None:
    """Used twice, in one item or in two, a computed column stays below."""
    for items in ((named("t", "s * s"),), (named("a", "s"), named("b", "s")), (named("a", "s"), named("b", "s + 1"))):
        twice = over(SUM, *items)

        assert merge_projections(twice) is twice


def test_plain_columns_and_constants_may_be_used_twice() -> None:
    """They cost nothing."""
    merged = merge_projections(over(SUM, named("a", "id"), named("b", "id"), named("c", "one"), named("d", "one")))

    assert show(merged) == show(Project(ORDERS, (named("a", "id"), named("b", "id"), named("c", "1"), named("d", "1"))))


def test_one_computed_column_that_is_used_twice_is_enough() -> None:
    """Another that is used once does not change that."""
    both = Project(ORDERS, (named("s", "id + 1"), named("p", "amount + 1")))
    kept = over(both, named("a", "s"), named("b", "p"), named("c", "p"))

    assert merge_projections(kept) is kept


def test_three_in_a_row_become_one() -> None:
    """Merging is repeated: what was used twice may be used once when the upper two are one."""
    inner = Project(ORDERS, (named("a", "-id"),))
    middle = over(inner, named("b", "a"), named("c", "a"))

    assert show(merge_projections(over(middle, named("d", "b")))) == show(Project(ORDERS, (named("d", "-id"),)))
    assert merge_projections(middle) is middle


def test_nothing_else_is_touched() -> None:
    """A projection over anything but a projection, and what lies between two."""
    apart = over(Distinct(SUM), named("t", "s"))

    assert merge_projections(SUM) is SUM
    assert merge_projections(apart) is apart
