"""session_window(): its plan finds the sessions a reader would, whatever lies between the rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Optional

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracle.compiled import compiled
from tests.oracle.duck import answer, load
from tests.oracle.generate_data import Table, World
from tests.oracle.zset import Row, ZSet, bag
from trickle.render.render import render

GAP = 5
TYPES = {"u": "string", "t": "string"}
TEXT = f"""
    SELECT u, CAST(session_window.start AS STRING) AS first, CAST(session_window.end AS STRING) AS over, COUNT(*) AS n
    FROM r GROUP BY u, session_window(t, '{GAP} seconds')
"""


def at(second: int) -> str:
    return f"2026-01-01 00:00:{second:02}"


def world(rows: tuple[Row, ...]) -> World:
    return World((Table("r", TYPES, rows, rows, False, False, ()),))


def sessions(rows: Sequence[tuple[Optional[str], int]]) -> ZSet:
    """Row after row: one that comes no later than the gap after the last of a session belongs to it."""
    found: dict[Optional[str], list[list[int]]] = {}
    for user, time in sorted(rows, key=lambda row: row[1]):
        mine = found.setdefault(user, [])
        if mine and time <= mine[-1][1]:
            mine[-1][1:] = [time + GAP, mine[-1][2] + 1]
        else:
            mine.append([time, time + GAP, 1])
    return bag((user, at(first), at(over), n) for user, mine in found.items() for first, over, n in mine)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(("a", "b", None)), st.integers(0, 40)), max_size=14))
def test_a_plan_finds_the_sessions(rows: list[tuple[Optional[str], int]]) -> None:
    """Rows at one moment, rows exactly a gap apart, users that are NULL; and a row without a time is in none."""
    told = world((*((user, at(time)) for user, time in rows), ("a", None)))
    view = compiled(TEXT, told)
    assert view.incremental

    assert answer(render(view.plan, load(told))) == sessions(rows)
