"""Facts about Spark's functions and types live in engine/trickle/functions and engine/trickle/types alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from trickle.functions import FUNCTIONS
from trickle.types import Opaque, parse_type

ROOT = Path(__file__).parents[2]
OWNERS = ("engine/trickle/functions/", "engine/trickle/types/")
FILES = [
    path
    for folder in ("engine/trickle", "dbt/adapters/trickle")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if not str(path.relative_to(ROOT)).startswith(OWNERS)
]
ENOUGH = 3
"""So many names of functions make a list of them."""

EXCEPTIONS = {
    "engine/trickle/sql/dialect.py": "which functions sqlglot itself parses, and by which of its rules",
    "engine/trickle/sql/routines.py": "which functions sqlglot itself parses",
}
"""File with a list of names that are functions, too → what else they are."""


def lists_of_names(tree: ast.AST) -> Iterator[tuple[int, list[str]]]:
    """Line and members of every literal set, tuple, list and dict of texts, of every text that is split, and case."""
    for node in ast.walk(tree):
        match node:
            case ast.Set(elts=members) | ast.Tuple(elts=members) | ast.List(elts=members):
                yield node.lineno, texts(members)
            case ast.Dict(keys=members):
                yield node.lineno, texts(members)
            case ast.MatchOr(patterns=patterns):
                yield node.lineno, texts([one.value for one in patterns if isinstance(one, ast.MatchValue)])
            case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(words)), attr="split")):
                yield node.lineno, words.lower().split()
            case _:
                pass


def texts(members: list[ast.expr | None] | list[ast.expr]) -> list[str]:
    values = (member.value for member in members if isinstance(member, ast.Constant))
    # Classes are written otherwise: Filter and Window are operators.
    return [value.lower() for value in values if isinstance(value, str) and value in (value.lower(), value.upper())]


def is_name_of_a_function_only(word: str) -> bool:
    """Not of a type, nor of a unit of time, a side of a join or a place in a row, which functions are called like."""
    others = "year quarter month week day hour minute second left right first last position time sec min"
    return word in FUNCTIONS and isinstance(parse_type(word), Opaque) and word not in others.split()


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_other_module_lists_functions(path: Path) -> None:
    """A fact about a function is a field of its record."""
    found = [
        (line, names)
        for line, words in lists_of_names(ast.parse(path.read_text("utf-8")))
        if len(names := [word for word in words if is_name_of_a_function_only(word)]) >= ENOUGH
    ]

    assert found == [] or str(path.relative_to(ROOT)) in EXCEPTIONS, found


@pytest.mark.parametrize("path", EXCEPTIONS)
def test_every_exception_is_needed(path: str) -> None:
    """A file that lists functions no more leaves the list."""
    lists = lists_of_names(ast.parse((ROOT / path).read_text("utf-8")))

    assert any(sum(map(is_name_of_a_function_only, words)) >= ENOUGH for _, words in lists)


TYPE_WORDS = ("array", "map", "struct", "variant", "char", "varchar", "decimal", "interval", "time", "string collate")


def looks_into_a_type(node: ast.AST) -> bool:
    """`kind.startswith("array<")` and `"variant" in kind`."""
    match node:
        case ast.Call(func=ast.Attribute(attr="startswith"), args=[argument, *_]):
            words = texts(argument.elts if isinstance(argument, ast.Tuple) else [argument])
            return any(word.rstrip("(< ") in TYPE_WORDS for word in words)
        case ast.Compare(left=ast.Constant(value=str(word)), ops=[ast.In() | ast.NotIn()]):
            return word.rstrip("(< ") in TYPE_WORDS
        case _:
            return False


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_looks_into_the_text_of_a_type(path: Path) -> None:
    """A field may be called variant_id: a type is parsed, and decided on by its value."""
    tree = ast.parse(path.read_text("utf-8"))

    assert [getattr(node, "lineno", 0) for node in ast.walk(tree) if looks_into_a_type(node)] == []
