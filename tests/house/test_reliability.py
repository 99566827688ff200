"""docs/reliability.md: every row of what can happen names the test that shows what we do then."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reliability.md").read_text("utf-8")
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith(("| what happens", "|--"))]
TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`|`(tests/cases/[\w/]+\.case)`")


def test_there_are_rows() -> None:
    """The page has a table to check."""
    assert len(ROWS) > 20


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split("|")[1].strip()[:60])
def test_a_row_names_a_test_that_exists(row: str) -> None:
    """Four cells: what happens, what we do, what it costs, and the test, which is in the file it is said to be in."""
    cells = [cell.strip() for cell in row.strip().strip("|").split("|")]

    assert len(cells) == 4
    assert all(cells)
    named = TEST.findall(cells[3])
    assert named, "no test named"
    for file, function, case in named:
        text = (ROOT / (file or case)).read_text("utf-8")
        assert case or f"def {function}(" in text, f"{file} has no {function}"
