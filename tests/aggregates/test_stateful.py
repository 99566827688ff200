"""An aggregate with states is one file and a line: its facts, its page and the laws follow it."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from sqlglot import exp

from tests.oracle.generate_scalars import measure
from trickle.aggregates.maintain import BY_FUNCTION, STATEFUL, maintain
from trickle.aggregates.stateful import Stateful
from trickle.functions import OverNoRows, facts_of
from trickle.plan.expression_types import expression_type
from trickle.plan.make_deterministic import called, is_made_deterministic
from trickle.sql.parse import parse_expression
from trickle.sql.text import function_name
from trickle.types import is_known

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "engine" / "trickle" / "aggregates"
TYPES = {"x": "int", "p": "boolean"}


def call_of(name: str) -> exp.Expr:
    """The function of one column of the type it takes."""
    function = facts_of(name).signature
    assert function is not None
    return parse_expression(f"{name}({'p' if function.refuses(0, 'i') else 'x'})")


def test_every_file_that_declares_states_is_registered() -> None:
    """In STATEFUL, once."""
    modules = [importlib.import_module(f"trickle.aggregates.{file.stem}") for file in PACKAGE.glob("[!_]*.py")]
    declared = {id(value) for module in modules for value in vars(module).values() if isinstance(value, Stateful)}

    assert declared == {id(form) for form in STATEFUL}
    assert len(BY_FUNCTION) == sum(len(form.functions) for form in STATEFUL)


@pytest.mark.parametrize("name", BY_FUNCTION)
def test_the_record_of_an_aggregate_with_states_is_complete(name: str) -> None:
    """It has one right answer, a type that is certain, and a known answer over no rows; and a call of it has states."""
    function, call = facts_of(name), call_of(name)

    assert function.is_exact
    assert not is_made_deterministic(call)
    assert function.over_no_rows in (OverNoRows.NULL, OverNoRows.ZERO)
    assert is_known(expression_type(call, TYPES))
    assert maintain(call, TYPES) is not None


@pytest.mark.parametrize("name", BY_FUNCTION)
def test_the_page_names_every_aggregate_with_states(name: str) -> None:
    """In the generated table."""
    page = (ROOT / "docs" / "operators" / "aggregate.md").read_text("utf-8")
    table = re.search(r"<!-- states -->\n(.*?)<!-- end -->", page, re.DOTALL)

    assert table is not None and re.search(rf"\b{name.upper()}\b", table[1])


def test_the_laws_draw_every_aggregate_with_states() -> None:
    """With states, not only as a call whose group is recomputed."""
    seen: set[str] = set()

    @settings(max_examples=400, phases=[Phase.generate], derandomize=True, database=None)
    @given(st.data())
    def draw(data: st.DataObject) -> None:
        call = parse_expression(data.draw(st.composite(lambda drawn: measure(drawn, TYPES))()))
        if maintain(call, TYPES) is not None:
            seen.add(function_name(called(call)))

    draw()

    assert seen == set(BY_FUNCTION)
