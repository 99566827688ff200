"""docs/decisions: one short page for each decision, found from the index."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "decisions"
INDEX = FOLDER / "README.md"
PAGES = sorted(page for page in FOLDER.glob("*.md") if page != INDEX)
HEADINGS = ["Context", "Decision", "Consequence"]
LONGEST = 40
"""Lines of a page: a longer one tells of more than one decision."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_has_a_title_and_three_parts(page: Path) -> None:
    """Context, decision and consequence, in this order, in at most forty lines."""
    lines = page.read_text("utf-8").splitlines()

    assert re.fullmatch(r"# \S.+", lines[0])
    assert [line.removeprefix("## ") for line in lines if line.startswith("## ")] == HEADINGS
    assert len(lines) <= LONGEST


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_part_of_a_page_says_something(page: Path) -> None:
    """No heading stands without a sentence below it."""
    parts = re.split(r"^## .+$", page.read_text("utf-8"), flags=re.MULTILINE)[1:]

    assert all(part.strip().endswith(".") for part in parts)


def test_the_index_names_every_page_once_with_its_title() -> None:
    """Whoever looks for a decision finds it in the index, under the words of its own title."""
    linked = re.findall(r"^- \[(.+)\]\(([\w-]+\.md)\)$", INDEX.read_text("utf-8"), re.MULTILINE)

    assert sorted(linked) == sorted((_title(page), page.name) for page in PAGES)


def _title(page: Path) -> str:
    return page.read_text("utf-8").splitlines()[0].removeprefix("# ")
