"""The scalar oracle by hand: SQL's three-valued logic, fact by fact."""

from __future__ import annotations

from decimal import Decimal

import pytest
from sqlglot import parse_one

from tests.oracle.aggregates import evaluate_measure
from tests.oracle.scalars import Values, evaluate
from tests.oracle.zset import Value

ROW = {"n": None, "one": 1, "two": 2, "t": True, "a": "a", "d": Decimal("1.50")}

FACTS = [
    ("n = n", None),
    ("n <=> n", True),
    ("n <=> 1", False),
    ("NOT (n = 1)", None),
    ("n = 1 OR TRUE", True),
    ("n = 1 AND FALSE", False),
    ("n = 1 OR FALSE", None),
    ("one IN (2, NULL)", None),
    ("one NOT IN (2, NULL)", None),
    ("one IN (1, NULL)", True),
    ("n IN (1)", None),
    ("n IS NULL", True),
    ("one IS NOT NULL", True),
    ("one BETWEEN n AND 0", False),
    ("one BETWEEN n AND 3", None),
    ("COALESCE(n, one)", 1),
    ("CASE WHEN n = 1 THEN 1 WHEN t THEN 2 END", 2),
    ("CASE n WHEN NULL THEN 1 ELSE 2 END", 2),
    ("IF(n = 1, 1, 2)", 2),
    ("n + 1", None),
    ("-two * 3 - one", -7),
    ("d + 1", Decimal("2.50")),
    ("a = 'a'", True),
]


@pytest.mark.parametrize(("text", "expected"), FACTS)
def test_expressions_follow_three_valued_logic(text: str, expected: Value) -> None:
    """The value SQL gives, NULL where SQL gives NULL."""
    found = evaluate(parse_one(text, dialect="spark"), ROW)

    assert found == expected
    assert type(found) is type(expected)


MEASURES = [
    ("COUNT(*)", 4, 0),
    ("COUNT(x)", 3, 0),
    ("SUM(x)", 5, None),
    ("SUM(DISTINCT x)", 3, None),
    ("COUNT(DISTINCT x)", 2, 0),
    ("AVG(x)", 5 / 3, None),
    ("MIN(x)", 1, None),
    ("MAX(x)", 2, None),
    ("SUM(x) FILTER (WHERE x > 5)", None, None),
    ("COUNT(*) FILTER (WHERE x = 2)", 2, 0),
    ("COALESCE(SUM(x), 0) + COUNT(*)", 9, 0),
]


@pytest.mark.parametrize(("text", "expected", "of_nothing"), MEASURES)
def test_aggregates_skip_null_and_answer_for_no_rows(text: str, expected: Value, of_nothing: Value) -> None:
    """Over {1, 2, 2, NULL}, and over nothing."""
    tree = parse_one(text, dialect="spark")
    group: list[tuple[Values, int]] = [({"x": 1}, 1), ({"x": 2}, 2), ({"x": None}, 1)]

    assert evaluate_measure(tree, group) == expected
    assert evaluate_measure(tree, []) == of_nothing
