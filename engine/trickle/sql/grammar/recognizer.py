"""misread: the first place of a text at which Spark's parser stops.

A rule at a place may end at several places: each of them is tried, so that no order of alternatives decides anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Optional

from trickle.sql.grammar.rules import RULES
from trickle.sql.grammar.words import NAME, NUMBER, SIGN, STRING, WORD, Word, words

DEEPEST = 12
"""Brackets within brackets that are followed; what lies deeper is left for Spark to read."""
NO_ALIASES = frozenset(
    """
    ANTI CROSS EXCEPT FULL INNER INTERSECT JOIN LATERAL LEFT MINUS NATURAL ON RIGHT SEMI UNION USING
    """.split()
)
"""Words by which no relation can be called. Every other one can, keywords included."""
_SPELLING = re.compile(r"'[^']+'|[A-Z_]+|[a-z_]+|[\[\](){}|*+]")

Ends = tuple[int, ...]


@dataclass(frozen=True)
class Misread:
    """Where Spark stops reading, and the word that stands there; none at the end of the text."""

    start: int
    end: int
    word: str


def misread(text: str) -> Optional[Misread]:
    """None for what Spark can parse, and for what is nested too deep to say."""
    found = words(text)
    if _depth(found) > DEEPEST:
        return None
    reading = _Reading(tuple(found))
    if len(found) in reading.ends("statement", 0):
        return None
    if reading.furthest < len(found):
        word = found[reading.furthest]
        return Misread(word.start, word.end, text[word.start : word.end + 1])
    last = found[-1] if found else Word(SIGN, "", 0, 0)
    return Misread(last.start, last.end, "")


def _depth(found: list[Word]) -> int:
    depth = deepest = 0
    for word in found:
        if word.text in ("(", "[", "CASE"):
            depth += 1
            deepest = max(deepest, depth)
        elif word.text in (")", "]", "END"):
            depth -= 1
    return deepest


class _Reading:
    """One text, with what each rule was found to be at each place."""

    def __init__(self, found: tuple[Word, ...]) -> None:
        self.words = found
        self.furthest = 0
        self._known: dict[tuple[str, int], Ends] = {}

    def ends(self, name: str, place: int) -> Ends:
        key = name, place
        if key not in self._known:
            self._known[key] = _grammar()[name](self, place)
        return self._known[key]

    def at(self, place: int) -> Optional[Word]:
        self.furthest = max(self.furthest, place)
        return self.words[place] if place < len(self.words) else None


Rule = Callable[[_Reading, int], Ends]


@cache
def _grammar() -> dict[str, Rule]:
    """The rules by name, those for single words included."""
    lines = (line.split(" = ", 1) for line in RULES.replace("\n    ", " ").splitlines() if line)
    rules = {name: _Spelling(body).rule() for name, body in lines}
    path = "identifier ('.' identifier)*"
    return rules | {
        "identifier": _one(lambda word: word.kind in (WORD, NAME)),
        "alias": _one(lambda word: word.kind == NAME or (word.kind == WORD and word.text not in NO_ALIASES)),
        "number": _one(lambda word: word.kind == NUMBER),
        "text": _one(lambda word: word.kind == STRING),
        "name_path": _Spelling(path).rule(),
        "call_name": _Spelling(path).rule(),
    }


class _Spelling:
    """The body of one rule on its way to becoming a function."""

    def __init__(self, body: str) -> None:
        self._parts = _SPELLING.findall(body)
        self._place = 0

    def rule(self) -> Rule:
        return self._choice("")

    def _choice(self, until: str) -> Rule:
        sequences = [self._sequence(until)]
        while self._peek() == "|":
            self._place += 1
            sequences.append(self._sequence(until))
        return sequences[0] if len(sequences) == 1 else _any_of(tuple(sequences))

    def _sequence(self, until: str) -> Rule:
        parts: list[Rule] = []
        while self._peek() not in (until, "|", ""):
            part = self._part()
            while self._peek() in ("*", "+"):
                part = _repeated(part, 0 if self._peek() == "*" else 1)
                self._place += 1
            parts.append(part)
        return parts[0] if len(parts) == 1 else _in_order(tuple(parts))

    def _part(self) -> Rule:
        token = self._peek()
        self._place += 1
        closing = {"[": "]", "(": ")", "{": "}"}.get(token)
        if closing is not None:
            inner = self._choice(closing)
            self._place += 1
            return {"[": _optional, "{": _listed}.get(token, _itself)(inner)
        if token.startswith("'"):
            return _sign(token[1:-1])
        return _word(token) if token.isupper() else _named(token)

    def _peek(self) -> str:
        return self._parts[self._place] if self._place < len(self._parts) else ""


def _one(fits: Callable[[Word], bool]) -> Rule:
    def ends(reading: _Reading, place: int) -> Ends:
        word = reading.at(place)
        return (place + 1,) if word is not None and fits(word) else ()

    return ends


def _word(text: str) -> Rule:
    return _one(lambda word: word.kind == WORD and word.text == text)


def _sign(text: str) -> Rule:
    return _one(lambda word: word.kind == SIGN and word.text == text)


def _named(name: str) -> Rule:
    return lambda reading, place: reading.ends(name, place)


def _any_of(rules: tuple[Rule, ...]) -> Rule:
    return lambda reading, place: tuple(dict.fromkeys(end for rule in rules for end in rule(reading, place)))


def _in_order(rules: tuple[Rule, ...]) -> Rule:
    def ends(reading: _Reading, place: int) -> Ends:
        found: Ends = (place,)
        for rule in rules:
            found = tuple(dict.fromkeys(end for start in found for end in rule(reading, start)))
        return found

    return ends


def _itself(rule: Rule) -> Rule:
    return rule


def _optional(rule: Rule) -> Rule:
    return lambda reading, place: tuple(dict.fromkeys((*rule(reading, place), place)))


def _repeated(rule: Rule, fewest: int) -> Rule:
    def ends(reading: _Reading, place: int) -> Ends:
        found = dict.fromkeys((place,) if fewest == 0 else ())
        waiting = [place]
        while waiting:
            start = waiting.pop()
            for end in rule(reading, start):
                if end not in found:
                    found[end] = None
                    waiting.append(end)
        return tuple(found)

    return ends


def _listed(rule: Rule) -> Rule:
    """One, or several with commas between them."""
    return _in_order((rule, _repeated(_in_order((_sign(","), rule)), 0)))
