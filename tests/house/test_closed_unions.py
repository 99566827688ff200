"""A `match` over a closed union names every case: a new operator, layout or event is met by mypy, not by a default."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from trickle.apply.steps import Step
from trickle.catalog.change_sources import ChangedRows
from trickle.catalog.happened import Happened
from trickle.layouts.layout import Layout
from trickle.operators import AnyLeaf, AnyOp, closed_leaf
from trickle.plan.op import Linearity, Op

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "engine" / "trickle").rglob("*.py")) + sorted((ROOT / "dbt").rglob("*.py"))
UNIONS = (AnyOp, Happened, Step, ChangedRows)
MEMBERS = {member.__name__ for union in UNIONS for member in get_args(union)}

LOCAL = {
    "delta/clock_change.py": "any other pair of operators changes as a whole",
    "delta/join_order.py": "counts the conditions on a relation; an operator it does not name has none",
    "delta/join_outward.py": "reorders filters, joins and unions of a change; anything else is one relation of a term",
    "delta/push_restrictions.py": "a restriction stays where no rule moves it",
    "delta/simplify.py": "an operator that no identity is about stays as it is",
    "layouts/measures.py": "recognizes two operators; all others are no grouping",
    "layouts/split_projections.py": "ends at the first operator it cannot split off",
    "layouts/summary.py": "raises: the layout was made of four kinds of operators",
    "lower/select/clock.py": "an operator without a rule may use a value of the clock, so it counts as using it",
    "lower/select/ordering.py": "recognizes queries of one row; of others it claims nothing",
    "lower/sources/recursion.py": "refuses: all other operators are no step of a recursion",
    "lower/subqueries/correlation.py": "recognizes conditions that can be pulled up",
    "lower/subqueries/dependent.py": "raises: lowering makes no other operator of a correlated query",
    "lower/subqueries/subqueries.py": "recognizes one shape of query",
    "operators/gains.py": "recognizes changes of one source; of others it claims nothing",
    "operators/one_row.py": "recognizes plans of one row; of others it claims nothing",
    "render/known_sizes.py": "an operator that joins nothing sends nothing",
    "render/fan_out.py": "estimates what a change is made of; nothing is known of anything else",
    "rewrite/drop_padding.py": "nothing is known of the rows below any other operator",
    "rewrite/merge_projections.py": "a rewrite of two operators; all others stay",
    "rewrite/prune_columns.py": "an operator without a rule needs all columns and keeps all of its own",
}
"""Files with functions about some operators only, and why the rest needs no case."""


def class_names(pattern: ast.pattern) -> Iterator[str]:
    """Our own classes: those of sqlglot are written as `exp.Join`."""
    for node in ast.walk(pattern):
        if isinstance(node, ast.MatchClass) and isinstance(node.cls, ast.Name):
            yield node.cls.id


def ends_in_assert_never(match: ast.Match) -> bool:
    last = match.cases[-1]
    return (
        isinstance(last.pattern, ast.MatchAs)
        and last.pattern.pattern is None
        and len(last.body) == 1
        and "assert_never(" in ast.unparse(last.body[0])
    )


def open_matches(tree: ast.AST) -> Iterator[str]:
    """The functions with a match over members of a closed union that does not end in `assert_never`."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Match) and not ends_in_assert_never(node):
                named = {name for case in node.cases for name in class_names(case.pattern)}
                if named & MEMBERS:
                    yield function.name


def test_no_total_function_has_a_silent_default() -> None:
    """Each match over a closed union ends in `assert_never`, but for the local ones, each with its reason."""
    found = set()
    for path in SOURCES:
        tree = ast.parse(path.read_text("utf-8"))
        base = ROOT / "engine" / "trickle"
        if any(open_matches(tree)):
            found.add(str(path.relative_to(base if path.is_relative_to(base) else ROOT)))

    assert found == set(LOCAL)


def test_a_silent_default_is_found() -> None:
    """The check itself, on a function that forgets operators."""
    lines = ("def price(op):", "    match op:", "        case Scan():", "            return 1", "        case _:")
    forgetful = "\n".join((*lines, "            return 0"))
    total = forgetful.replace("return 0", "assert_never(op)")

    assert list(open_matches(ast.parse(forgetful))) == ["price"]
    assert not list(open_matches(ast.parse(total)))


def test_the_closed_unions_hold_every_class() -> None:
    """Every operator there is, and among the leaves every operator whose linearity says so."""
    operators = set(get_args(AnyOp))

    assert {one for one in every_subclass(Op) if one.__module__.startswith("trickle.operators")} == operators
    assert {one for one in operators if one.linearity is Linearity.LEAF} == set(get_args(AnyLeaf))


def test_an_operator_with_children_is_no_leaf() -> None:
    """Asked for as a leaf it is an error of ours."""
    from tests.operators.plans import ORDERS, scalar
    from trickle.operators import Filter

    assert closed_leaf(ORDERS) is ORDERS
    with pytest.raises(AssertionError, match="Filter is no leaf"):
        closed_leaf(Filter(ORDERS, scalar("id > 1")))


def test_nobody_asks_which_layout_it_is() -> None:
    """A layout answers through its interface: engine and adapter ask no layout for its class."""
    layouts = {one.__name__ for one in every_subclass(Layout)}
    assert layouts >= {"Bag", "Groups", "Top", "Series", "Summary"}
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance":
                asked = {one.id for one in ast.walk(node.args[1]) if isinstance(one, ast.Name)}
                assert not asked & layouts, f"{path}:{node.lineno}"
            if isinstance(node, ast.Match):
                named = {name for case in node.cases for name in class_names(case.pattern)}
                assert not named & layouts, f"{path}:{node.lineno}"


def every_subclass(base: type) -> set[type]:
    return {one for child in base.__subclasses__() for one in (child, *every_subclass(child))}
