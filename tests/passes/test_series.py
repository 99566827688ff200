"""series: what is stored of windows over a whole order, and from which place on a change replaces it."""

from __future__ import annotations

from sqlglot import parse_one

from tests.operators.plans import ORDERS, named, scalar
from trickle.layouts.series import Series, series_of
from trickle.operators import Filter, Project, Window
from trickle.plan.op import Op
from trickle.plan.scalar import Named, Scalar
from trickle.plan.schema import Column, Schema
from trickle.plan.show import show
from trickle.sql.dialect import Verbatim
from trickle.sql.text import to_line


def windows(*calls: str) -> Window:
    items = (Named(f"w{place}", Scalar(parse_one(call, dialect=Verbatim))) for place, call in enumerate(calls, 1))
    return Window(ORDERS, (), tuple(items))


def series(plan: Op, *names: str) -> Series:
    found = series_of(plan, Schema(tuple(Column(name, "int") for name in names or plan.schema.names)))
    assert found is not None
    return found


RANKED = Filter(
    Project(
        windows(
            "RANK() OVER (ORDER BY amount)", "DENSE_RANK() OVER (ORDER BY amount)", "LAG(id) OVER (ORDER BY amount)"
        ),
        (named("id"), named("w3"), named("w1"), named("more", "w2 + 1")),
    ),
    scalar("w1 < 10"),
)
SHOWN = ("x", "before", "place", "more")


def test_rows_are_stored_with_what_users_see_of_them() -> None:
    """What is not seen has a name of ours: the rest of the input, and answers that the next change goes on from."""
    layout = series(RANKED, *SHOWN)

    assert show(layout.input).splitlines()[0] == "Project(`id` AS x, `amount` AS __trickle_input_2)"
    assert layout.identity == ("x", "__trickle_input_2", "__trickle_twin")
    assert list(layout.own.values()) == ["place", "__trickle_answer_2", "before"]
    assert layout.carried == ("__trickle_window_2",), "RANK asks no answer, LAG neither"
    hidden = ("__trickle_input_2", "__trickle_answer_2", "__trickle_twin")
    assert layout.stored == (*SHOWN, "__trickle_count", *hidden)


def test_what_a_filter_hides_is_counted_as_nothing_and_not_computed() -> None:
    """Columns that are only passed on stay: they tell the row from others."""
    written = {name: to_line(tree).replace("`", "") for name, tree in series(RANKED, *SHOWN).finished().items()}
    seen = "CASE WHEN __trickle_window_1 < 10 THEN"

    assert written == {
        "x": "x",
        "__trickle_input_2": "__trickle_input_2",
        "__trickle_twin": "__trickle_twin",
        "before": "__trickle_window_3",
        "place": "__trickle_window_1",
        "more": f"{seen} __trickle_window_2 + 1 ELSE NULL END",
        "__trickle_count": f"{seen} CAST(1 AS BIGINT) ELSE CAST(0 AS BIGINT) END",
        "__trickle_answer_2": "__trickle_window_2",
    }


def test_without_a_filter_every_row_counts() -> None:
    """And is computed without asking."""
    counted = Project(windows("ROW_NUMBER() OVER (ORDER BY amount)"), (named("more", "w1 + 1"),))
    written = series(counted, "more").finished()

    assert to_line(written["more"]).replace("`", "") == "__trickle_window_1 + 1"
    assert to_line(written["__trickle_count"]) == "CAST(1 AS BIGINT)"


def order(*calls: str) -> list[str]:
    return [to_line(item).replace("`", "") for item in series(windows(*calls)).by]


def test_a_place_is_told_by_the_order_that_all_calls_begin_with() -> None:
    """The shortest of them."""
    assert order("RANK() OVER (ORDER BY amount)", "COUNT(*) OVER (ORDER BY amount, id)") == ["amount"]
    assert order("COUNT(*) OVER (ORDER BY amount, id)", "RANK() OVER (ORDER BY amount)") == ["amount"]
    assert order("RANK() OVER (ORDER BY amount)", "RANK() OVER (ORDER BY id)") == []
    assert order("RANK() OVER (ORDER BY amount)", "RANK() OVER (ORDER BY amount DESC)") == []
    assert order("RANK() OVER (ORDER BY amount)", "NTILE(2) OVER (ORDER BY amount)") == []
    agreed = "RANK() OVER (ORDER BY amount)"
    assert order(agreed, agreed, "RANK() OVER (ORDER BY id)") == [], "one that differs is enough"


def test_neighbours_are_counted_in_one_order() -> None:
    """A longer order may put rows between that the shorter one does not tell apart."""
    assert order("LAG(id) OVER (ORDER BY amount)", "RANK() OVER (ORDER BY amount)") == ["amount"]
    for looking in ("LAG(id)", "LEAD(id)"):
        assert order(f"{looking} OVER (ORDER BY amount)", "RANK() OVER (ORDER BY amount, id)") == []
        assert order("RANK() OVER (ORDER BY amount)", f"{looking} OVER (ORDER BY amount, id)") == []
    around = "COUNT(*) OVER (ORDER BY amount ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING)"
    assert order(around, "RANK() OVER (ORDER BY amount, id)") == []


def test_a_change_reaches_as_far_as_the_farthest_call() -> None:
    """All rows behind it, its neighbours, or all rows."""
    cases = {
        ("RANK() OVER (ORDER BY amount)", "LAG(id) OVER (ORDER BY amount)"): ("replace_suffix", 1, 0),
        ("LAG(id, 3) OVER (ORDER BY amount)", "LEAD(id, 2) OVER (ORDER BY amount)"): ("replace_neighbours", 3, 2),
        ("LAG(id) OVER (ORDER BY amount)", "LAG(id, 3) OVER (ORDER BY amount)"): ("replace_neighbours", 3, 0),
        ("LEAD(id) OVER (ORDER BY amount)", "LEAD(id, 3) OVER (ORDER BY amount)"): ("replace_neighbours", 0, 3),
    }
    for calls, (strategy, back, ahead) in cases.items():
        layout = series(windows(*calls))
        assert (layout.reach, layout.back, layout.ahead) == (strategy, back, ahead), calls
    assert series(windows("NTILE(2) OVER (ORDER BY amount)")).reach == "replace_series"
    assert series(windows("NTILE(2) OVER (ORDER BY amount)", "LAG(id) OVER (ORDER BY amount)")).goes_on


def test_what_is_no_series() -> None:
    """Partitions have a rule of their own, and of rows that cannot be ordered none is told from another."""
    parted = Window(ORDERS, (named("part", "amount"),), (named("n", "RANK() OVER (PARTITION BY amount ORDER BY id)"),))
    assert series_of(parted, parted.schema) is None
    assert series_of(ORDERS, ORDERS.schema) is None
    total = windows("RANK() OVER (ORDER BY amount)", "SUM(id) OVER ()")
    assert series_of(total, total.schema) is None, "a total stands in every row"
    maps = Project(ORDERS, (named("id"), named("tags", "CAST(NULL AS MAP<INT, INT>)")))
    unordered = Window(maps, (), (named("n", "RANK() OVER (ORDER BY id)"),))
    assert maps.schema["tags"].type.lower().startswith("map"), maps.schema
    assert series_of(unordered, unordered.schema) is None
    ages = Project(ORDERS, (named("id"), named("age", "CAST(NULL AS INTERVAL DAY)")))
    of_ages = Window(ages, (), (named("n", "RANK() OVER (ORDER BY id)"),))
    assert series_of(of_ages, of_ages.schema) is None, "no table stores an interval"
