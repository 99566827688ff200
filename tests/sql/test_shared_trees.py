"""Each text is parsed once, and its tree is shared by all that read it: nobody may change it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest

from dbt.adapters.trickle.catalog.answers import Answers, answered
from dbt.adapters.trickle.cli.verify.case_file import read_cases
from tests.documents.reason_examples import EXAMPLES
from tests.facts import compiled
from tests.snapshots.shop import resolve
from trickle import Column, Name, Relation, Table, TrickleError, compile_view
from trickle.sql.parse import parse_select

CASES = sorted((Path(__file__).parents[1] / "cases").rglob("*.case"))


def unchanged(text: str) -> bool:
    """Whether the shared tree is the one that parsing gives."""
    return repr(parse_select(text)) == repr(parse_select.__wrapped__(text))


@pytest.mark.parametrize("code", sorted(EXAMPLES))
def test_compiling_an_example_leaves_its_tree_alone(code: str) -> None:
    text = EXAMPLES[code]
    try:
        compiled(text, resolve)
        parsed = unchanged(text)
    except TrickleError:
        pytest.skip("never: nothing is compiled of what is refused")
    assert parsed


@pytest.mark.parametrize("folder", sorted({case.parent for case in CASES}), ids=lambda folder: folder.name)
def test_compiling_a_case_leaves_its_tree_alone(folder: Path) -> None:
    """All queries of all case files, over the columns that they give to their tables."""
    checked: set[str] = set()
    for scenario in read_cases(folder):
        tables = {table.name.lower(): table.columns for table in scenario.tables}
        for view in scenario.views:
            if view.sql not in checked and is_compiled(view.sql, tables):
                assert unchanged(view.sql), view.sql
                checked.add(view.sql)
    assert checked


def is_compiled(text: str, tables: Mapping[str, tuple[Column, ...]]) -> bool:
    def relation(name: Name) -> Relation | None:
        return Table(("s", name[-1]), tables[name[-1]]) if name[-1] in tables else None

    try:
        answered(partial(compile_view, text), Answers(relation))
    except TrickleError:
        return False
    return True
