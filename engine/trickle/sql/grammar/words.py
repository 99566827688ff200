"""Splits a text into the words and signs that Spark reads, each with its position."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

WORD, NAME, NUMBER, STRING, SIGN = "word", "name", "number", "string", "sign"

_NUMBER = r"(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?(?:BD|[LSYFD])?(?!\w)"
_TEXT = r"""[rR]?'(?:[^'\\]|\\.)*'|[rR]?"(?:[^"\\]|\\.)*\""""
_RAW = r"""[rR]'[^']*'|[rR]"[^"]*\""""
_SIGNS = "<=> |> -> => !> !< <> <= >= != == || :: << ( ) [ ] , . ; : + - * / % & | ^ ~ = < > ! ? { } @ $ #".split()
_PATTERN = re.compile(
    "|".join(
        (
            r"(?P<blank>\s+|--(?:\\\n|[^\n])*)",
            rf"(?P<{STRING}>{_RAW}|{_TEXT})",
            rf"(?P<{NUMBER}>{_NUMBER})",
            rf"(?P<{NAME}>`(?:[^`]|``)+`)",
            rf"(?P<{WORD}>\w+)",
            rf"(?P<{SIGN}>{'|'.join(re.escape(sign) for sign in _SIGNS)})",
        )
    ),
    re.DOTALL | re.IGNORECASE,
)
_COMMENT = re.compile(r"/\*|\*/")


@dataclass(frozen=True)
class Word:
    """A word or sign of the text; `text` is in upper case where Spark ignores case."""

    kind: str
    text: str
    start: int
    end: int
    """The offset of the last character."""


def words(text: str) -> list[Word]:
    """All words in order, without comments and hints; an unknown sign is a word of its own."""
    return list(_words(text))


def _words(text: str) -> Iterator[Word]:
    position = 0
    while position < len(text):
        if text.startswith("/*", position):
            position = _after_comment(text, position)
            continue
        match = _PATTERN.match(text, position)
        if match is None:
            yield Word(SIGN, text[position], position, position)
            position += 1
            continue
        if match.lastgroup != "blank":
            kind = match.lastgroup or SIGN
            yield Word(kind, match[0].upper() if kind == WORD else match[0], position, match.end() - 1)
        position = match.end()


def _after_comment(text: str, start: int) -> int:
    """The offset after a comment; comments nest."""
    depth, position = 0, start
    while (match := _COMMENT.search(text, position)) is not None:
        depth += 1 if match[0] == "/*" else -1
        position = match.end()
        if depth == 0:
            return position
    return len(text)
