"""A text as the words and signs that Spark reads, each with its place."""

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
            rf"(?P<{SIGN}>{'|'.join(re.escape(one) for one in _SIGNS)})",
        )
    ),
    re.DOTALL | re.IGNORECASE,
)
_COMMENT = re.compile(r"/\*|\*/")


@dataclass(frozen=True)
class Word:
    """One of them; `text` is in capitals where Spark does not tell them from small letters."""

    kind: str
    text: str
    start: int
    end: int
    """The last character."""


def words(text: str) -> list[Word]:
    """All of them in order, comments and hints left out; a sign that is none of Spark's stands for itself."""
    return list(_words(text))


def _words(text: str) -> Iterator[Word]:
    place = 0
    while place < len(text):
        if text.startswith("/*", place):
            place = _after_comment(text, place)
            continue
        found = _PATTERN.match(text, place)
        if found is None:
            yield Word(SIGN, text[place], place, place)
            place += 1
            continue
        if found.lastgroup != "blank":
            kind = found.lastgroup or SIGN
            yield Word(kind, found[0].upper() if kind == WORD else found[0], place, found.end() - 1)
        place = found.end()


def _after_comment(text: str, start: int) -> int:
    """Comments may hold comments."""
    depth, place = 0, start
    while (found := _COMMENT.search(text, place)) is not None:
        depth += 1 if found[0] == "/*" else -1
        place = found.end()
        if depth == 0:
            return place
    return len(text)
