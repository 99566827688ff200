"""Names are plain nouns and verbs: none of the words this project once used privately comes back.

A word that a name truly needs is listed in ALLOWED with the reason.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

CLEAN: tuple[str, ...] = ("dbt/adapters/trickle", "engine/trickle")
"""The product's packages: every module of theirs is read."""

PARTS = {
    "told": "message, notes, fields",
    "tell": "write, report, message",
    "tells": "reports, message",
    "telling": "message, notes",
    "said": "message, sentence, text",
    "says": "states, message",
    "looking": "monitoring",
    "seeing": "monitoring",
    "remembered": "last, stored, cached",
    "recall": "read",
    "apart": "separate, unmaintained",
    "stood": "existed, previous",
    "standing": "existing, active, current",
    "stands": "exists",
    "held": "stored, whole",
    "kept": "stored, retained",
    "peel": "split",
    "peeled": "split",
    "moved": "changed, delta",
    "ticked": "changed by the clock",
    "stretch": "range",
    "settle": "make deterministic",
    "beside": "next to, neighbours",
    "besides": "also, extra",
    "anew": "again, rebuilt",
    "ruling": "suspension",
    "rulings": "suspensions",
    "restless": "volatile",
}
"""A word within a name, and what engineers say instead."""

WHOLE = {
    "one": "the thing's name: column, table, node",
    "found": "matches, tables, the thing's name",
    "place": "index, position, path",
    "places": "indexes, positions, paths",
    "what": "the thing's name",
    "asked": "requested, RefreshInput, the thing's name",
}
"""A name that is this word and nothing else says nothing."""

ALLOWED: dict[str, str] = {}
"""Names that keep such a word, and why: a public promise, or a library's own name."""


def words(name: str) -> list[str]:
    """`is_standing`, `StoodAt`, `WHAT_IS_TOLD` → their words, in small letters."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)]


def retired(name: str) -> str:
    """Why the name is not plain, with the words to use; '' when it is plain."""
    if name in ALLOWED:
        return ""
    found = [f"`{word}`: {PARTS[word]}" for word in words(name) if word in PARTS]
    whole = name.strip("_").lower()
    found += [f"`{whole}`: {WHOLE[whole]}"] if whole in WHOLE else []
    return "; ".join(found)


def names(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Whatever a module defines: classes, functions, arguments, variables, fields."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.ClassDef():
                yield node.name, node.lineno
            case ast.arg():
                yield node.arg, node.lineno
            case ast.Name(ctx=ast.Store()):
                yield node.id, node.lineno
            case ast.Attribute(ctx=ast.Store()):
                yield node.attr, node.lineno
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name, node.lineno
            case _:
                pass


def modules(path: str) -> list[Path]:
    return sorted((ROOT / path).rglob("*.py"))


@pytest.mark.parametrize("path", CLEAN)
def test_names_are_plain(path: str) -> None:
    """Modules, classes, functions, arguments, variables and fields of a clean package use no retired word."""
    files = modules(path)
    assert files, f"{path} is listed in CLEAN and has no modules"
    faults = [f"{file.relative_to(ROOT)}: {why}" for file in files if (why := retired(file.stem))]
    for file in files:
        faults += [
            f"{file.relative_to(ROOT)}:{line} {name} ({why})"
            for name, line in names(ast.parse(file.read_text("utf-8")))
            if (why := retired(name))
        ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("name", ["is_standing", "StoodAt", "WHAT_IS_TOLD", "_held", "one", "_found", "made_apart"])
def test_a_retired_word_is_recognized(name: str) -> None:
    """Words are recognized in every spelling of a name."""
    assert retired(name)


@pytest.mark.parametrize("name", ["one_line", "is_stored", "household", "placement", "apartment", "found_in_file"])
def test_a_plain_name_is_not_accused(name: str) -> None:
    """A word is a whole word, and a number is not a general noun."""
    assert not retired(name)


def test_an_allowed_name_exists_in_a_clean_package() -> None:
    """An exception that nothing needs any more is removed."""
    present = {
        name for path in CLEAN for file in modules(path) for name, _ in names(ast.parse(file.read_text("utf-8")))
    }
    present |= {file.stem for path in CLEAN for file in modules(path)}
    assert set(ALLOWED) <= present
