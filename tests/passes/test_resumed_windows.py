"""resume: how each window call is taken up again in the middle of its order, or that it cannot be."""

from __future__ import annotations

from typing import Optional

from sqlglot import parse_one

from trickle.layouts.resumed_windows import Resumed, resumed
from trickle.plan.scalar import Named, Scalar
from trickle.sql.dialect import Verbatim
from trickle.sql.text import to_line

TYPES = {"id": "int", "amount": "int", "price": "double", "wide": "decimal(38,2)"}
FROM_START = "ROWS BETWEEN UNBOUNDED PRECEDING AND"


def taken_up(text: str) -> Optional[Resumed]:
    call = Named("n", Scalar(parse_one(text, dialect=Verbatim)))
    return resumed(call, TYPES, "own", "b_")


def told(text: str) -> tuple[str, list[str]]:
    """The answer, and what it asks of the rows before; window clauses left out."""
    found = taken_up(text)
    assert found is not None, text
    over = text[text.index(" OVER") :]
    earlier = [f"{to_line(one.value.tree)} AS {one.name}" for one in found.earlier]
    return to_line(found.value).replace(over, " OVER …").replace("`", ""), [one.replace("`", "") for one in earlier]


def reach(text: str) -> tuple[int, int]:
    """How many rows back and ahead it looks, of a call that goes on from nothing before."""
    found = taken_up(text)
    assert found is not None and not found.earlier and not found.goes_on and not found.carried, text
    assert to_line(found.value) == text, "nothing is added to what neighbours answer"
    return found.back, found.ahead


def test_positions_go_on_from_the_number_of_rows_before() -> None:
    """Both count rows."""
    for name in ("ROW_NUMBER", "RANK"):
        assert told(f"{name}() OVER (ORDER BY id)") == (
            f"{name}() OVER … + b_rows",
            ["CAST(COUNT(*) AS INT) AS b_rows"],
        )


def test_a_dense_rank_goes_on_from_the_last_one_given() -> None:
    """Which is the greatest of its own answers: they must be stored."""
    found = taken_up("DENSE_RANK() OVER (ORDER BY id)")

    assert found is not None and found.carried and (found.back, found.ahead) == (0, 0)
    assert told("DENSE_RANK() OVER (ORDER BY id)") == (
        "DENSE_RANK() OVER … + b_rank",
        ["COALESCE(MAX(own), 0) AS b_rank"],
    )


def test_neighbours_are_as_many_rows_away_as_is_written() -> None:
    """One, if nothing is; and in the other direction where the number is negative."""
    assert reach("LAG(amount) OVER (ORDER BY id)") == (1, 0)
    assert reach("LAG(amount, 2) OVER (ORDER BY id)") == (2, 0)
    assert reach("LEAD(amount) OVER (ORDER BY id)") == (0, 1)
    assert reach("LEAD(amount, 3, 0) OVER (ORDER BY id)") == (0, 3)
    assert reach("LEAD(amount, -2) OVER (ORDER BY id)") == (2, 0)
    assert taken_up("LAG(amount, id) OVER (ORDER BY id)") is None
    assert taken_up("LAG(amount) IGNORE NULLS OVER (ORDER BY id)") is None


def test_a_frame_of_rows_reaches_as_far_as_it_says() -> None:
    """On each side no less than the row itself."""
    frames = {
        "3 PRECEDING AND 1 PRECEDING": (3, 0),
        "1 FOLLOWING AND 2 FOLLOWING": (0, 2),
        "CURRENT ROW AND 2 FOLLOWING": (0, 2),
        "2 PRECEDING AND CURRENT ROW": (2, 0),
        "2 PRECEDING AND 1 FOLLOWING": (2, 1),
    }
    for frame, expected in frames.items():
        assert reach(f"COUNT(*) OVER (ORDER BY id ROWS BETWEEN {frame})") == expected, frame


def test_rows_that_tie_are_together_in_a_stretch() -> None:
    """A stretch begins with a value of the order: no row before it has the same."""
    assert reach("COUNT(*) OVER (ORDER BY id RANGE BETWEEN CURRENT ROW AND CURRENT ROW)") == (0, 0)


def test_running_aggregates_combine_the_states_before_with_those_here() -> None:
    """Each state in its own way."""
    assert told("COUNT(*) OVER (ORDER BY id)") == ("b_count + COUNT(*) OVER …", ["COUNT(*) AS b_count"])
    assert told("MIN(amount) OVER (ORDER BY id)") == (
        "LEAST(b_extreme, MIN(amount) OVER …)",
        ["MIN(amount) AS b_extreme"],
    )
    assert told("MAX(amount) OVER (ORDER BY id)") == (
        "GREATEST(b_extreme, MAX(amount) OVER …)",
        ["MAX(amount) AS b_extreme"],
    )
    answer, earlier = told("SUM(amount) OVER (ORDER BY id)")
    assert len(earlier) == 2 and "b_sum + " in answer and answer.startswith("CASE WHEN b_count + ")


def test_a_running_sum_that_does_not_fit_ends_the_statement() -> None:
    """Where Spark's has no value, neither has the sum of what was before and what is here."""
    answer, _ = told("SUM(wide) OVER (ORDER BY id)")

    assert "(COALESCE(b_sum + CAST(" in answer
    assert ", CAST(RAISE_ERROR('dbt-trickle [sum_overflows]: " in answer


def test_a_running_frame_may_end_beside_the_row() -> None:
    """Rows behind it are looked at as well; rows before the stretch that it ends with are needed again."""
    ends = {"1 PRECEDING": (1, 0), "CURRENT ROW": (0, 0), "2 FOLLOWING": (0, 2)}
    for end, expected in ends.items():
        found = taken_up(f"COUNT(*) OVER (ORDER BY id {FROM_START} {end})")
        assert found is not None and found.goes_on and not found.carried
        assert (found.back, found.ahead) == expected, end


def test_the_first_value_is_the_one_that_rows_before_have() -> None:
    """Where there are any; the answers are stored."""
    for frame, ahead in (("", 0), (f" {FROM_START} 2 FOLLOWING", 2)):
        text = f"FIRST_VALUE(amount) OVER (ORDER BY id{frame})"
        found = taken_up(text)
        assert found is not None and found.carried and (found.back, found.ahead) == (0, ahead)
        assert told(text) == (
            "CASE WHEN b_rows > 0 THEN b_first ELSE FIRST_VALUE(amount) OVER … END",
            ["COUNT(*) AS b_rows", "FIRST(own) AS b_first"],
        )
    assert taken_up(f"FIRST_VALUE(amount) OVER (ORDER BY id {FROM_START} 1 PRECEDING)") is None
    assert taken_up("FIRST_VALUE(amount) IGNORE NULLS OVER (ORDER BY id)") is None


def test_the_last_value_is_a_neighbour() -> None:
    """So many rows away as its frame ends."""
    assert reach("LAST_VALUE(amount) OVER (ORDER BY id)") == (0, 0)
    assert reach(f"LAST_VALUE(amount) OVER (ORDER BY id {FROM_START} 2 PRECEDING)") == (2, 0)
    assert reach(f"LAST_VALUE(amount) OVER (ORDER BY id {FROM_START} 2 FOLLOWING)") == (0, 2)


def test_all_others_are_computed_from_the_first_row_on() -> None:
    """No order, no end, frames of values, fractions that are added up in order, parts of a whole."""
    calls = (
        "SUM(amount) OVER ()",
        "SUM(price) OVER (ORDER BY id)",
        f"COUNT(*) OVER (ORDER BY id {FROM_START} UNBOUNDED FOLLOWING)",
        "COUNT(*) OVER (ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)",
        "COUNT(*) OVER (ORDER BY id ROWS BETWEEN 1 + 1 PRECEDING AND CURRENT ROW)",
        "COUNT(*) OVER (ORDER BY id RANGE BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING)",
        "NTILE(4) OVER (ORDER BY id)",
        "PERCENT_RANK() OVER (ORDER BY id)",
        "amount + 1",
    )
    for call in calls:
        assert taken_up(call) is None, call
