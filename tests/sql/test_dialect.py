"""The dialect that reads and prints the user's SQL."""

from __future__ import annotations

import subprocess
import sys

import pytest

from dbt.adapters.trickle.cli.verify.duck_dialect import translated
from trickle.sql.parse import parse_select
from trickle.sql.text import to_line


def test_a_compiled_parser_is_named_before_it_fails() -> None:
    """sqlglotc's classes cannot be extended; what Python says of that helps nobody."""
    script = "from sqlglot.parsers.spark import SparkParser as p; p.__init__ = object.__init__; import trickle"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)

    assert ran.returncode == 1
    assert "pip uninstall sqlglotc" in ran.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("SELECT d - INTERVAL 1 YEAR 2 MONTHS", "SELECT d - INTERVAL '1' YEAR '2' MONTHS"),
        ("SELECT -INTERVAL 1 DAY 2 HOURS 3 MINUTES", "SELECT -INTERVAL '1' DAY '2' HOURS '3' MINUTES"),
        ("SELECT d - INTERVAL '1' DAY '2' HOURS * 3", "SELECT d - INTERVAL '1' DAY '2' HOURS * 3"),
        ("SELECT d - INTERVAL 1 DAY + INTERVAL 2 HOURS", "SELECT d - INTERVAL '1' DAY + INTERVAL '2' HOURS"),
        ("SELECT d + INTERVAL 1 DAY + 5", "SELECT d + INTERVAL '1' DAY + 5"),
        ("SELECT d - INTERVAL x DAY + 5", "SELECT d - INTERVAL x DAY + 5"),
    ],
)
def test_an_interval_of_several_units_is_one_value(text: str, printed: str) -> None:
    """As a sum without parentheses, all but its first part would change sides; and a number added is no part of it."""
    assert to_line(parse_select(text)) == printed


def test_an_interval_of_several_units_is_a_sum_elsewhere() -> None:
    """DuckDB knows no such intervals."""
    assert translated("SELECT d - INTERVAL 1 DAY 2 HOURS") == "SELECT d - (INTERVAL '1' DAY + INTERVAL '2' HOURS)"


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("SELECT substr(s, 1, 2)", "SELECT SUBSTR(s, 1, 2)"),
        ("SELECT SUBSTR(s FROM 2 FOR 3)", "SELECT SUBSTRING(s, 2, 3)"),
        ("SELECT POSITION('a', s)", "SELECT POSITION('a', s)"),
        ("SELECT POSITION('a' IN s)", "SELECT LOCATE('a', s)"),
    ],
)
def test_a_function_keeps_its_name(text: str, printed: str) -> None:
    """Spark's plans tell it, and a query is only ours to maintain where they are the same."""
    assert to_line(parse_select(text)) == printed
