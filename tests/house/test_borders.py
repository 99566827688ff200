"""Who may do what: SQL is read and printed in one place, and the engine knows no platform."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import trickle

ENGINE = Path(trickle.__file__).parent
PLATFORMS = {"dbt", "dbt_common", "jinja2", "pyspark", "delta", "duckdb", "deltalake", "py4j"}
OUTSIDE_WORLD = {"os", "time", "datetime", "random", "subprocess", "socket", "pathlib", "tempfile", "uuid"}
READERS = {"parse_one", "parse", "qualify", "tokenize", "transpile"}

CALENDAR = "schedule"
"""The one package that may know the calendar; what it must not do with it is in CLOCKS."""
INSTANTS = "plan/instant.py"
"""Converts instants it is given into dates of a zone."""
CLOCKS = {"now", "today", "utcnow", "time", "localtime", "monotonic"}

PURE = sorted(path for path in ENGINE.rglob("*.py") if "cli" not in path.relative_to(ENGINE).parts)
"""The engine less its command line, which may talk to the world."""


def imported(tree: ast.AST) -> Iterator[str]:
    """Top-level names of everything a file imports, inside functions too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name.split(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


def name_of(path: Path) -> str:
    return str(path.relative_to(ENGINE))


@pytest.mark.parametrize("path", PURE, ids=name_of)
def test_the_engine_knows_no_platform_and_no_outside_world(path: Path) -> None:
    """No dbt, Spark or DuckDB; no clock, environment or file: a refresh is a function of what it is told."""
    if path.name == "__main__.py":
        pytest.skip("never: it is the door of the command line")
    found = set(imported(ast.parse(path.read_text())))

    assert not found & PLATFORMS
    allowed = {"datetime"} if path.parent.name == CALENDAR or name_of(path) == INSTANTS else set()
    assert not found & (OUTSIDE_WORLD - allowed)


@pytest.mark.parametrize("path", sorted((ENGINE / CALENDAR).glob("*.py")), ids=name_of)
def test_schedules_know_the_calendar_and_no_clock(path: Path) -> None:
    """Time is an argument: nothing in a file of schedules asks what time it is."""
    attributes = {node.attr for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Attribute)}

    assert not attributes & CLOCKS


def test_the_clock_is_never_asked_the_time() -> None:
    """Instants are told to the engine; the one file that knows days and zones only converts them."""
    calls = [node.func for node in ast.walk(ast.parse((ENGINE / INSTANTS).read_text())) if isinstance(node, ast.Call)]

    assert not {one.attr for one in calls if isinstance(one, ast.Attribute)} & {"now", "utcnow", "today"}


@pytest.mark.parametrize("path", [one for one in PURE if one.parent.name != "sql"], ids=name_of)
def test_sql_is_read_and_printed_in_one_place(path: Path) -> None:
    """Only engine/trickle/sql calls `.sql(` or a parser of sqlglot's, so that the dialect is named in one place."""
    tree = ast.parse(path.read_text())
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    printed = [node.lineno for node in calls if isinstance(node.func, ast.Attribute) and node.func.attr == "sql"]
    parsers = [
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sqlglot")
        for alias in node.names
        if alias.name in READERS
    ]
    called = [
        node.lineno
        for node in calls
        if isinstance(node.func, ast.Attribute)
        and node.func.attr in READERS
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in ("sqlglot", "exp")
    ]

    assert not printed, f"prints SQL in lines {printed}"
    assert not parsers and not called, f"reads SQL: {parsers} {called}"


@pytest.mark.parametrize("path", PURE, ids=name_of)
def test_no_error_is_swallowed(path: Path) -> None:
    """No bare except, and none that only passes."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ExceptHandler):
            assert node.type is not None, f"line {node.lineno}: a bare except"
            assert not all(isinstance(one, ast.Pass) for one in node.body), f"line {node.lineno}: an except that hides"
