"""Splits a text of several statements at its semicolons, without parsing: Spark receives each as written."""

from __future__ import annotations

import re

_PARTS = re.compile(
    r"""
    (?P<kept>
        # An unclosed quotation extends to the end: Spark reports the error.
        (?<!\w)[rR]'[^']*('|\Z) | (?<!\w)[rR]"[^"]*("|\Z)    # raw: a backslash is a backslash
      | '(\\.|[^'\\])*('|\Z) | "(\\.|[^"\\])*("|\Z)       # a doubled quote matches as two adjacent strings
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
    """The statements without their semicolons; text of comments only is not a statement."""
    parts: list[str] = []
    start = position = 0
    has_content = False
    while (match := _PARTS.search(text, position)) is not None:
        has_content = has_content or bool(text[position : match.start()].strip()) or match.lastgroup == "kept"
        position = match.end()
        if match.lastgroup == "open":
            position = _after_comment(text, position)
        elif match.lastgroup == "end":
            if has_content:
                parts.append(text[start : match.start()].strip())
            start, has_content = position, False
    if has_content or text[position:].strip():
        parts.append(text[start:].strip())
    return parts


def _after_comment(text: str, position: int) -> int:
    """The offset after a bracketed comment; Spark's nest."""
    depth = 1
    while depth:
        match = _BRACKETS.search(text, position)
        if match is None:
            return len(text)
        depth += 1 if match.group() == "/*" else -1
        position = match.end()
    return position
