"""A text of several statements, taken apart at its semicolons. Nothing is parsed: Spark reads each as it stands."""

from __future__ import annotations

import re

_PARTS = re.compile(
    r"""
    (?P<kept>
        # What is never closed goes on to the end: Spark says what is wrong with it.
        (?<!\w)[rR]'[^']*('|\Z) | (?<!\w)[rR]"[^"]*("|\Z)    # raw: a backslash is a backslash
      | '(\\.|[^'\\])*('|\Z) | "(\\.|[^"\\])*("|\Z)       # a doubled quote reads as two strings side by side
      | `[^`]*(`|\Z)
    )
  | (?P<line>--[^\n]*)
  | (?P<open>/\*)
  | (?P<end>;)
    """,
    re.VERBOSE | re.DOTALL,
)
_BRACKETS = re.compile(r"/\*|\*/")


def statements(text: str) -> list[str]:
    """Statements without their semicolons; what holds only comments is none."""
    found: list[str] = []
    start = place = 0
    says_something = False
    while (match := _PARTS.search(text, place)) is not None:
        says_something = says_something or bool(text[place : match.start()].strip()) or match.lastgroup == "kept"
        place = match.end()
        if match.lastgroup == "open":
            place = _after_comment(text, place)
        elif match.lastgroup == "end":
            if says_something:
                found.append(text[start : match.start()].strip())
            start, says_something = place, False
    if says_something or text[place:].strip():
        found.append(text[start:].strip())
    return found


def _after_comment(text: str, place: int) -> int:
    """Spark's bracketed comments nest."""
    depth = 1
    while depth:
        match = _BRACKETS.search(text, place)
        if match is None:
            return len(text)
        depth += 1 if match.group() == "/*" else -1
        place = match.end()
    return place
