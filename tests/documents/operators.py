"""The tables of operators: what each page says about itself, in one line."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
OPERATOR_FILES = ROOT / "engine" / "trickle" / "operators"
PAGES = ROOT / "docs" / "operators"
LINK = "operators"
HEAD = "| operator | how it is maintained | page |\n|---|---|---|"
INTERNAL = "Only refreshes contain it."
NOT_OPERATORS = frozenset({"__init__", "affected", "gains", "one_row"})
"""The union of all operators, and the rule that several of them share."""

_TITLE = re.compile(r"# (.+)")
_HOW = re.compile(r"^\*\*How it is maintained\.\*\* (.+?)\n\n", re.MULTILINE | re.DOTALL)


def operator_names() -> list[str]:
    return sorted(file.stem for file in OPERATOR_FILES.glob("*.py") if file.stem not in NOT_OPERATORS)


def table(_: str) -> str:
    """The rows of docs/maintained.md: the operators of users' queries, and in one line those of refreshes."""
    pages = {name: page(name) for name in operator_names()}
    rows = [
        f"| {title(text)} | {how(text)} | [{name}]({LINK}/{name}.md) |"
        for name, text in pages.items()
        if INTERNAL not in text
    ]
    inside = ", ".join(f"[{name}]({LINK}/{name}.md)" for name, text in pages.items() if INTERNAL in text)
    return "\n".join([HEAD, *rows, "", f"Refreshes also contain: {inside}.", ""])


def page(name: str) -> str:
    return (PAGES / f"{name}.md").read_text("utf-8")


def title(text: str) -> str:
    found = _TITLE.match(text)
    assert found is not None, "a page begins with its title"
    return found[1]


def how(text: str) -> str:
    """The sentence after the words **How it is maintained.**"""
    found = _HOW.search(text)
    assert found is not None, f"{title(text)}: the page does not say how it is maintained"
    return " ".join(found[1].split())
