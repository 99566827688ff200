"""A progress line while Spark works: on a terminal only, erased before other output, and never longer than a line."""

from __future__ import annotations

import io
from collections.abc import Mapping

import pytest

from dbt.adapters.trickle.warehouses.embedded.progress import CLEAR, Progress, Running, Stage, line, wanted
from dbt.adapters.trickle.warehouses.statement_text import first_words

MERGE = Running("merge into `s`.`orders__trickle`", 100.0)


class Screen(io.StringIO):
    def __init__(self, terminal: bool = True) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


@pytest.mark.parametrize(
    ("terminal", "environment", "shown"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"DBT_TRICKLE_PROGRESS": "off"}, False),
        (True, {"CI": "true"}, False),
        (True, {"TERM": "dumb"}, False),
    ],
)
def test_it_is_shown_on_terminals_only(terminal: bool, environment: Mapping[str, str], shown: bool) -> None:
    """Logs, pipes and CI get nothing, and there is a switch."""
    assert wanted(Screen(terminal), environment) is shown


@pytest.mark.parametrize(
    ("statements", "stages", "now", "told"),
    [
        ([], [], 100, ""),
        ([MERGE], [], 101, ""),
        ([MERGE], [], 114, "merge into `s`.`orders__trickle`  14 s, planning"),
        ([MERGE], [Stage(3, 8, 5)], 114, "merge into `s`.`orders__trickle`  14 s, stage 3: 5 of 8 tasks"),
        (
            [Running("select 2", 110.0), MERGE],
            [Stage(3, 8, 5), Stage(4, 2, 0)],
            114,
            "merge into `s`.`orders__trickle`  14 s, stage 3: 5 of 10 tasks (and 1 more)",
        ),
    ],
)
def test_the_line(statements: list[Running], stages: list[Stage], now: float, told: str) -> None:
    """The longest running statement, its seconds, its stage, and how many others run."""
    assert line(statements, stages, now, 100) == told


@pytest.mark.parametrize("width", [10, 30, 50, 80])
def test_it_never_breaks_the_line(width: int) -> None:
    """A line that is too long could not be cleared."""
    assert len(line([Running("x" * 300, 0.0), MERGE], [Stage(1, 10**6, 1)], 10**6, width)) < width


def test_it_goes_before_anything_else_is_written() -> None:
    """dbt asks its loggers in their order, and this one is the first. What is not drawn is not cleared."""
    screen, running = Screen(), [MERGE]
    progress = Progress(screen, lambda: running, lambda: [Stage(3, 8, 5)], lambda: 114.0)

    progress.clear()
    assert screen.getvalue() == ""

    progress.draw()
    assert screen.getvalue() == f"{CLEAR}merge into `s`.`orders__trickle`  14 s, stage 3: 5 of 8 tasks"

    assert progress.filter(object()) is False
    assert screen.getvalue().endswith(CLEAR)

    running.clear()
    before = screen.getvalue()
    progress.draw()
    assert screen.getvalue() == before


def test_a_statement_is_called_by_its_first_words() -> None:
    """Without dbt's comment, on one line."""
    sql = '/* {"app": "dbt"} */\n\n  create or replace table x -- why\nas\nselect 1'

    assert first_words(sql) == "create or replace table x as select 1"
