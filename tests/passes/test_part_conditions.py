"""part_conditions: conditions on the clock stand alone, above those that are not."""

from __future__ import annotations

from sqlglot import exp

from tests.operators.plans import ORDERS, scalar
from trickle.operators import Distinct, Filter
from trickle.plan.clock import ClockCall
from trickle.plan.op import Op, walk
from trickle.plan.scalar import Scalar
from trickle.rewrite.part_conditions import part_conditions

NOW = ClockCall("unix_timestamp", False)


def asking(text: str) -> Scalar:
    """The condition with the clock in place of `now`."""

    def told(node: exp.Expr) -> exp.Expr:
        return NOW.tree() if isinstance(node, exp.Column) and node.name == "now" else node

    return Scalar(scalar(text).tree.transform(told))


def parts(text: str, child: Op = ORDERS) -> list[str]:
    """The conditions from the lowest filter to the highest one, with `now` for the clock."""
    parted = part_conditions(Filter(child, asking(text)))
    clock = Scalar(NOW.tree()).text
    return [op.condition.text.replace(clock, "now") for op in walk(parted) if isinstance(op, Filter)]


def test_each_question_to_the_clock_is_a_filter_of_its_own() -> None:
    """The others stay together, below, and are asked first."""
    assert parts("id > now AND amount > 1 AND amount < 9 AND id < now + 5") == [
        "amount > 1 AND amount < 9",
        "id > now",
        "id < now + 5",
    ]
    assert parts("id > now AND id < now + 5") == ["id > now", "id < now + 5"]


def test_between_is_two_comparisons() -> None:
    """When the clock is in it, alone or beside something else."""
    assert parts("id BETWEEN now - 7 AND now") == ["id >= (now - 7)", "id <= now"]
    assert parts("now BETWEEN id AND amount AND id > 3") == ["id > 3", "now >= id", "now <= amount"]
    assert parts("id > now AND amount BETWEEN 1 AND 2") == ["amount BETWEEN 1 AND 2", "id > now"]


def test_what_is_one_condition_stays_one() -> None:
    """And what does not ask the clock is not touched at all."""
    for text in ("id > now", "id > now OR amount > 1", "NOT id BETWEEN now AND 5"):
        alone = Filter(ORDERS, asking(text))
        assert part_conditions(alone) is alone
    plain = Filter(ORDERS, scalar("id > 1 AND amount BETWEEN 1 AND 2"))
    assert part_conditions(plain) is plain
    assert part_conditions(Distinct(plain)).children[0] is plain
