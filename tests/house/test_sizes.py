"""Files have at most 350 lines, in the product 400, functions 50, macros 40, and names that mean something."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MOST_LINES = {"engine": 400, "dbt": 400, "tests": 350, "benchmarks": 350, "tools": 350}
MOST_FUNCTION_LINES = 50
MOST_MACRO_LINES = 40
EMPTY_NAMES = {"utils", "util", "common", "helpers", "helper", "misc", "manager", "managers"}

FILES = sorted(path for folder in MOST_LINES for path in (ROOT / folder).rglob("*.py"))
MACROS = sorted((ROOT / "dbt" / "include").rglob("*.sql"))
_MACRO = re.compile(r"{%-?\s*(macro|materialization|test)\s+(\w+).*?{%-?\s*end\1", re.DOTALL)


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_and_functions_are_short(path: Path) -> None:
    """Past these lengths a concept is missing."""
    long = [f"{one.name}: line {one.lineno}" for one in functions(path) if _lines(one) > MOST_FUNCTION_LINES]

    assert len(path.read_text().splitlines()) <= MOST_LINES[path.relative_to(ROOT).parts[0]]
    assert not long, f"functions of more than {MOST_FUNCTION_LINES} lines: {long}"


@pytest.mark.parametrize("path", MACROS, ids=lambda path: str(path.relative_to(ROOT)))
def test_macros_are_short(path: Path) -> None:
    """Logic is in Python, where it is tested; macros call it."""
    macros = {found[2]: found[0].count("\n") + 1 for found in _MACRO.finditer(path.read_text("utf-8"))}

    assert macros, f"no macro is recognized in {path}"
    assert not {name: lines for name, lines in macros.items() if lines > MOST_MACRO_LINES}


def test_no_file_has_an_empty_name() -> None:
    """A thing that has no better name has no place yet."""
    assert not [str(path) for path in FILES if path.stem in EMPTY_NAMES or path.parent.name in EMPTY_NAMES]


def _lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1
