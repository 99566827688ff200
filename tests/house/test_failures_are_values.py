"""No decision looks at the words of a failure: only what turns exceptions into values may read them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
READERS = ("dbt/adapters/trickle/warehouses/", "dbt/adapters/trickle/cli/verify/duck.py")
"""Implementations of sessions: they make values of what a platform says."""
FILES = sorted(
    path
    for folder in ("dbt/adapters/trickle", "engine/trickle")
    for path in (ROOT / folder).rglob("*.py")
    if not str(path.relative_to(ROOT)).startswith(READERS)
)
TEXTS = {"msg", "message", "args", "errmsg"}
"""Attributes of exceptions and failures that hold prose."""
SEARCHES = {"startswith", "endswith", "find", "index", "partition", "rpartition", "split", "count", "removeprefix"}
MATCHES = {"search", "match", "fullmatch", "findall", "finditer"}


def caught(tree: ast.AST) -> set[str]:
    """The names under which failures are at hand: those of `except … as name`, and of parameters that are failures."""
    handlers = {node.name for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler) and node.name}
    arguments = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    return handlers | (arguments & {"failure", "failed", "error", "exception"})


def prose(node: ast.AST, names: set[str]) -> bool:
    """Whether an expression is a failure, or its words."""
    match node:
        case ast.Name(id=name):
            return name in names
        case ast.Call(func=ast.Name(id="str" | "repr"), args=[value]):
            return prose(value, names)
        case ast.Attribute(value=value, attr=attr) if attr in TEXTS or attr == "failure":
            return prose(value, names)
        case _:
            return False


def readings(tree: ast.AST) -> Iterator[int]:
    """Lines on which a failure's words decide something."""
    names = caught(tree)
    for node in ast.walk(tree):
        match node:
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[whole]) if prose(whole, names):
                yield node.lineno
            case ast.Compare(left=left, comparators=[*others]):
                sides = [one for one in (left, *others) if isinstance(one, (ast.Call, ast.Attribute))]
                yield from [node.lineno for one in sides if prose(one, names)]
            case ast.Call(func=ast.Attribute(value=value, attr=attr), args=[_, *_]) if attr in SEARCHES:
                yield from [node.lineno] if prose(value, names) else []
            case ast.Call(func=ast.Attribute(attr=attr), args=args) if attr in MATCHES:
                yield from [node.lineno] if any(prose(one, names) for one in args) else []


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_decision_looks_at_prose(path: Path) -> None:
    """Spark's condition, SQLSTATE and parameters say what happened; messages are for people."""
    assert list(readings(ast.parse(path.read_text("utf-8")))) == []


@pytest.mark.parametrize(
    "text",
    [
        "'x' in str(failure)",
        "failure.message == 'x'",
        "str(failure).startswith('x')",
        "re.search('x', str(failure))",
        "any(one in str(failure) for one in WORDS)",
        "'x' in failure.failure.message",
        "'x' in failure",
    ],
)
def test_what_would_be_a_decision_is_found(text: str) -> None:
    """Each of these was once one."""
    code = f"try:\n    run()\nexcept Exception as failure:\n    if {text}:\n        pass\n"

    assert list(readings(ast.parse(code))) == [4]
    shown = code.replace(f"if {text}:\n        pass", "print(failure)")
    assert list(readings(ast.parse(shown))) == []
