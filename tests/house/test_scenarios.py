"""tests/cases/README.md: the list of scenarios, each with its case or the reason why there is none."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "cases"
TABLE = (CASES / "README.md").read_text("utf-8")
ROWS = re.findall(r"^\| ([A-Z]\d+[a-z]?) \| (.+) \|$", TABLE, re.MULTILINE)
"""Id and what stands beside it, for every scenario that is not ours."""
CASE_LINK = re.compile(r"\[(\S+\.case)\]\((\S+\.case)\)")
TEST_FILE = re.compile(r"tests/\w+/\w+\.py|\w+/\w+\.case")
SCENARIOS = 182
"""How long the list is that this project must survive."""


def test_every_scenario_is_in_the_table_once() -> None:
    """None is lost and none is told twice."""
    told = Counter(name for name, _ in ROWS)

    assert len(ROWS) == SCENARIOS
    assert not [name for name, times in told.items() if times > 1]


@pytest.mark.parametrize(("name", "beside"), ROWS, ids=[name for name, _ in ROWS])
def test_a_scenario_has_a_case_or_a_reason(name: str, beside: str) -> None:
    """The case is a file of its own that bears the id; a reason is a sentence, and the tests it names are there."""
    link = CASE_LINK.fullmatch(beside)
    if link is not None:
        assert link[1] == link[2]
        assert Path(link[2]).stem == name
        assert (CASES / link[2]).is_file()
        return
    assert len(beside) > len("the same") - 1
    for named in TEST_FILE.findall(beside):
        assert (ROOT / named).is_file() or (CASES / named).is_file(), named


def test_every_file_the_table_names_is_there() -> None:
    """And it names none twice."""
    named = [link for _, link in CASE_LINK.findall(TABLE)]

    assert not [link for link in named if not (CASES / link).is_file()]
    assert len(named) == len(set(named))
