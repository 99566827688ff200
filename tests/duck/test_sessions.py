"""session_window(): its plan finds the sessions a reader would, whatever lies between the rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Optional

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracle.compiled import compiled
from tests.oracle.duck import answer, load
from tests.oracle.generate_data import Table, World
from tests.oracle.zset import Row, ZSet, bag
from trickle.render.render import render

TYPES = {"u": "string", "t": "string", "gap": "string"}
TEXT = """
    SELECT u, CAST(session_window.start AS STRING) AS first, CAST(session_window.end AS STRING) AS over, COUNT(*) AS n
    FROM r GROUP BY 1, session_window(t, gap)
"""
Visit = tuple[Optional[str], int, int]
"""Who came, at which second, and for how many seconds a session of theirs waits for the next visit."""


def at(second: int) -> str:
    return f"2026-01-01 00:{second // 60:02}:{second % 60:02}"


def world(rows: tuple[Row, ...]) -> World:
    return World((Table("r", TYPES, rows, rows, False, False, ()),))


def sessions(visits: Sequence[Visit]) -> ZSet:
    """Visit after visit: one that comes while a session is kept open belongs to it. Without a gap there is none."""
    found: dict[Optional[str], list[list[int]]] = {}
    for user, time, gap in sorted((visit for visit in visits if visit[2] > 0), key=lambda visit: visit[1]):
        mine = found.setdefault(user, [])
        if mine and time <= mine[-1][1]:
            mine[-1][1:] = [max(mine[-1][1], time + gap), mine[-1][2] + 1]
        else:
            mine.append([time, time + gap, 1])
    return bag((user, at(first), at(over), n) for user, mine in found.items() for first, over, n in mine)


VISITS = st.tuples(st.sampled_from(("a", "b", None)), st.integers(0, 40), st.sampled_from((5, 5, 5, 0, 1, 30)))


@pytest.mark.parametrize(
    ("items", "keys", "verdict"),
    [
        ("u, session_window(t, gap) AS w", "u, w", "incremental"),
        ("UPPER(u) AS who, session_window(t, gap) AS w", "who, 2", "incremental"),
        ("u, session_window.start AS w", "u, session_window(t, '1 day')", "incremental"),
        ("session_window.start AS w", "session_window(t, gap)", "recompute"),
        ("u, session_window(t, gap).start AS w", "u, session_window(t, gap).start", "recompute"),
        ("u, session_window.start AS w", "u, session_window(t, 5)", "recompute"),
    ],
)
def test_a_session_is_found_by_what_else_is_grouped_by(items: str, keys: str, verdict: str) -> None:
    """By name, place or alias. Alone, or by its parts, it is recomputed with its reason."""
    view = compiled(f"SELECT {items}, COUNT(*) AS n FROM r GROUP BY {keys}", world(()))

    assert view.verdict == verdict
    assert [one.code for one in view.reasons] == ([] if view.incremental else ["sessions"])


@settings(max_examples=60, deadline=None)
@given(st.lists(VISITS, max_size=14))
def test_a_plan_finds_the_sessions(visits: list[Visit]) -> None:
    """Rows at one moment, rows exactly a gap apart, users that are NULL, and a row without a time, which is in none."""
    rows: list[Row] = [(user, at(time), f"{gap} seconds") for user, time, gap in visits]
    told = world((*rows, ("a", None, "5 seconds"), ("a", at(7), None)))
    view = compiled(TEXT, told)
    assert view.incremental

    assert answer(render(view.plan, load(told))) == sessions(visits)
