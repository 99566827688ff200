"""misread: the first position of a text at which Spark's parser stops.

A rule at a position may end at several positions: all are followed, so the order of alternatives does not matter.
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
"""Nested brackets up to which a text is checked; deeper texts are left to Spark."""
NO_ALIASES = frozenset(
    """
    ANTI CROSS EXCEPT FULL INNER INTERSECT JOIN LATERAL LEFT MINUS NATURAL ON RIGHT SEMI UNION USING
    """.split()
)
"""Words that cannot be an alias of a relation. Every other word can, keywords included."""
_SPELLING = re.compile(r"'[^']+'|[A-Z_]+|[a-z_]+|[\[\](){}|*+]")

Ends = tuple[int, ...]


@dataclass(frozen=True)
class Misread:
    """Where Spark's parser stops, and the word there; '' at the end of the text."""

    start: int
    end: int
    word: str


def misread(text: str) -> Optional[Misread]:
    """None for a text that Spark can parse, and for one nested deeper than DEEPEST."""
    text_words = words(text)
    if _depth(text_words) > DEEPEST:
        return None
    parse = _Parse(tuple(text_words))
    if len(text_words) in parse.ends("statement", 0):
        return None
    if parse.furthest < len(text_words):
        word = text_words[parse.furthest]
        return Misread(word.start, word.end, text[word.start : word.end + 1])
    last = text_words[-1] if text_words else Word(SIGN, "", 0, 0)
    return Misread(last.start, last.end, "")


def _depth(text_words: list[Word]) -> int:
    depth = deepest = 0
    for word in text_words:
        if word.text in ("(", "[", "CASE"):
            depth += 1
            deepest = max(deepest, depth)
        elif word.text in (")", "]", "END"):
            depth -= 1
    return deepest


class _Parse:
    """One text, with the ends of each rule at each position, computed once."""

    def __init__(self, text_words: tuple[Word, ...]) -> None:
        self.words = text_words
        self.furthest = 0
        self._known: dict[tuple[str, int], Ends] = {}

    def ends(self, name: str, position: int) -> Ends:
        key = name, position
        if key not in self._known:
            self._known[key] = _grammar()[name](self, position)
        return self._known[key]

    def at(self, position: int) -> Optional[Word]:
        self.furthest = max(self.furthest, position)
        return self.words[position] if position < len(self.words) else None


Rule = Callable[[_Parse, int], Ends]


@cache
def _grammar() -> dict[str, Rule]:
    """The rules by name, those for single words included."""
    lines = (line.split(" = ", 1) for line in RULES.replace("\n    ", " ").splitlines() if line)
    rules = {name: _Spelling(body).rule() for name, body in lines}
    path = "identifier ('.' identifier)*"
    return rules | {
        "identifier": _single_word(lambda word: word.kind in (WORD, NAME)),
        "alias": _single_word(lambda word: word.kind == NAME or (word.kind == WORD and word.text not in NO_ALIASES)),
        "number": _single_word(lambda word: word.kind == NUMBER),
        "text": _single_word(lambda word: word.kind == STRING),
        "name_path": _Spelling(path).rule(),
        "call_name": _Spelling(path).rule(),
    }


class _Spelling:
    """Turns the body of one rule into a function."""

    def __init__(self, body: str) -> None:
        self._parts = _SPELLING.findall(body)
        self._position = 0

    def rule(self) -> Rule:
        return self._choice("")

    def _choice(self, until: str) -> Rule:
        sequences = [self._sequence(until)]
        while self._peek() == "|":
            self._position += 1
            sequences.append(self._sequence(until))
        return sequences[0] if len(sequences) == 1 else _any_of(tuple(sequences))

    def _sequence(self, until: str) -> Rule:
        parts: list[Rule] = []
        while self._peek() not in (until, "|", ""):
            part = self._part()
            while self._peek() in ("*", "+"):
                part = _repeated(part, 0 if self._peek() == "*" else 1)
                self._position += 1
            parts.append(part)
        return parts[0] if len(parts) == 1 else _in_order(tuple(parts))

    def _part(self) -> Rule:
        token = self._peek()
        self._position += 1
        closing = {"[": "]", "(": ")", "{": "}"}.get(token)
        if closing is not None:
            inner = self._choice(closing)
            self._position += 1
            return {"[": _optional, "{": _listed}.get(token, _group)(inner)
        if token.startswith("'"):
            return _sign(token[1:-1])
        return _word(token) if token.isupper() else _named(token)

    def _peek(self) -> str:
        return self._parts[self._position] if self._position < len(self._parts) else ""


def _single_word(fits: Callable[[Word], bool]) -> Rule:
    def ends(parse: _Parse, position: int) -> Ends:
        word = parse.at(position)
        return (position + 1,) if word is not None and fits(word) else ()

    return ends


def _word(text: str) -> Rule:
    return _single_word(lambda word: word.kind == WORD and word.text == text)


def _sign(text: str) -> Rule:
    return _single_word(lambda word: word.kind == SIGN and word.text == text)


def _named(name: str) -> Rule:
    return lambda parse, position: parse.ends(name, position)


def _any_of(rules: tuple[Rule, ...]) -> Rule:
    return lambda parse, position: tuple(dict.fromkeys(end for rule in rules for end in rule(parse, position)))


def _in_order(rules: tuple[Rule, ...]) -> Rule:
    def ends(parse: _Parse, position: int) -> Ends:
        reached: Ends = (position,)
        for rule in rules:
            reached = tuple(dict.fromkeys(end for start in reached for end in rule(parse, start)))
        return reached

    return ends


def _group(rule: Rule) -> Rule:
    return rule


def _optional(rule: Rule) -> Rule:
    return lambda parse, position: tuple(dict.fromkeys((*rule(parse, position), position)))


def _repeated(rule: Rule, fewest: int) -> Rule:
    def ends(parse: _Parse, position: int) -> Ends:
        reached = dict.fromkeys((position,) if fewest == 0 else ())
        waiting = [position]
        while waiting:
            start = waiting.pop()
            for end in rule(parse, start):
                if end not in reached:
                    reached[end] = None
                    waiting.append(end)
        return tuple(reached)

    return ends


def _listed(rule: Rule) -> Rule:
    """The rule once, or several times with commas between."""
    return _in_order((rule, _repeated(_in_order((_sign(","), rule)), 0)))
