"""Seed values as SQL: every value survives, whatever its characters."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

import pytest
from dbt_common.exceptions import DbtRuntimeError

from dbt.adapters.trickle.warehouses.embedded.literals import bind, literal


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "NULL"),
        (True, "true"),
        (False, "false"),
        ("O'Brien", r"'O\'Brien'"),
        ("back\\slash", r"'back\\slash'"),
        (r"\'", r"'\\\''"),
        ("100%s of 5%", "'100%s of 5%'"),
        ("", "''"),
        (Decimal("12345678901234567890.123"), "'12345678901234567890.123'"),
        (Decimal("1E+3"), "'1000'"),
        (7, "'7'"),
        (datetime.date(2024, 2, 29), "'2024-02-29'"),
        (datetime.datetime(2024, 2, 29, 1, 2, 3, 4), "'2024-02-29 01:02:03.000004'"),
    ],
)
def test_a_value_becomes_a_literal(value: Any, text: str) -> None:
    """Quotes and backslashes are escaped, and a number has all its digits."""
    assert literal(value) == text


def test_only_placeholders_are_replaced() -> None:
    """A percent sign in the statement or in a value is no placeholder."""
    assert bind("values (%s, 5 % 2, %s)", ["a%s", 1]) == "values ('a%s', 5 % 2, '1')"


def test_a_wrong_number_of_values_is_refused() -> None:
    """Shifted columns would be worse than an error."""
    with pytest.raises(DbtRuntimeError, match=r"2 placeholders .* but 1 values"):
        bind("values (%s, %s)", [1])
