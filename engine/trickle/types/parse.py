"""parse_type: Spark's simple strings, and the types of its DDL, as values. Each text is parsed once."""

from __future__ import annotations

import re
from functools import lru_cache

from trickle.types.values import (
    UNKNOWN,
    Array,
    Char,
    Decimal,
    Field,
    Interval,
    Map,
    Opaque,
    Simple,
    String,
    Struct,
    Time,
    Type,
    Varchar,
)

MICROSECONDS = 6
"""Digits of a second that TIME has where none are given."""
_SIMPLE = {kind.value: kind for kind in Simple}
_SYNONYMS = {
    "integer": Simple.INT,
    "long": Simple.BIGINT,
    "short": Simple.SMALLINT,
    "byte": Simple.TINYINT,
    "real": Simple.FLOAT,
    "timestamp_ltz": Simple.TIMESTAMP,
}
_DECIMALS = ("decimal", "dec", "numeric")
_UNITS = ("year", "month", "day", "hour", "minute", "second")
_WORD = re.compile(r"\s*([^\W\d]\w*)")
_NUMBERS = re.compile(r"\s*\(\s*(\d+)\s*(?:,\s*(-?\d+)\s*)?\)")
_QUOTED = re.compile(r"\s*`((?:[^`]|``)*)`\s*:?")
_NAMED = re.compile(r"\s*([^`'\",:<>()]+?)\s*:")
"""Spark prints names without quotation marks: where one holds a sign of the notation, nobody knows where it ends."""
_NAMED_IN_DDL = re.compile(r"\s*(\w+)\s")
_COLLATION = re.compile(r"\s+COLLATE\s+(\w+)", re.IGNORECASE)
_AFTER_FIELD = re.compile(r"(\s+NOT\s+NULL\b)?(\s+COMMENT\s+('[^']*'|\"[^\"]*\"))?", re.IGNORECASE)


@lru_cache(maxsize=10_000)
def parse_type(text: str) -> Type:
    """The type of a text: Unknown for none, Opaque for one that cannot be parsed."""
    if not text.strip():
        return UNKNOWN
    reader = _Reader(text)
    try:
        kind = reader.type()
        reader.end()
    except _UnreadableError:
        return Opaque(text.strip())
    return kind


class _UnreadableError(Exception):
    """The text is no type, or one whose names hold what separates types."""


class _Reader:
    """A recursive descent over one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def type(self) -> Type:
        word = self._word()
        match word:
            case "array":
                (element,) = self._arguments(1)
                return Array(element)
            case "map":
                key, value = self._arguments(2)
                return Map(key, value)
            case "struct":
                return Struct(self._fields())
            case "interval":
                return self._interval()
            case "string":
                return String(self._collation())
            case "char" | "character":
                return Char(self._numbers(None, None)[0])
            case "varchar":
                return Varchar(self._numbers(None, None)[0])
            case "time":
                return Time(self._numbers(MICROSECONDS, None)[0])
        if word in _DECIMALS:
            return Decimal(*self._numbers(10, 0))
        simple = _SIMPLE.get(word) or _SYNONYMS.get(word)
        if simple is None:
            raise _UnreadableError
        return simple

    def end(self) -> None:
        if self.text[self.position :].strip():
            raise _UnreadableError

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self.text, self.position)
        if match:
            self.position = match.end()
        return match

    def _word(self) -> str:
        match = self._match(_WORD)
        if match is None:
            raise _UnreadableError
        return match[1].lower()

    def _next_word_is(self, words: tuple[str, ...]) -> str:
        """The next word if it is one of these, which is then read; else nothing."""
        match = _WORD.match(self.text, self.position)
        if match is None or match[1].lower() not in words:
            return ""
        self.position = match.end()
        return match[1].lower()

    def _sign(self, sign: str) -> bool:
        rest = self.text[self.position :]
        is_next = rest.lstrip().startswith(sign)
        if is_next:
            self.position += len(rest) - len(rest.lstrip()) + len(sign)
        return is_next

    def _expect(self, sign: str) -> None:
        if not self._sign(sign):
            raise _UnreadableError

    def _numbers(self, first: int | None, second: int | None) -> tuple[int, int]:
        """(first[, second]) with defaults; a missing number without a default is no type."""
        match = self._match(_NUMBERS)
        given = first if match is None else int(match[1])
        if given is None:
            raise _UnreadableError
        return given, int(match[2]) if match is not None and match[2] else second or 0

    def _interval(self) -> Type:
        first = self._next_word_is(_UNITS)
        if not first:
            return Simple.CALENDAR_INTERVAL
        last = self._next_word_is(_UNITS) if self._next_word_is(("to",)) else first
        if not last:
            raise _UnreadableError
        return Interval(first, last)

    def _collation(self) -> str:
        """The name as written: Spark prints it in capitals."""
        match = self._match(_COLLATION)
        return match[1] if match else ""

    def _arguments(self, count: int) -> list[Type]:
        self._expect("<")
        arguments = [self.type()]
        while self._sign(","):
            arguments.append(self.type())
        self._expect(">")
        if len(arguments) != count:
            raise _UnreadableError
        return arguments

    def _fields(self) -> tuple[Field, ...]:
        self._expect("<")
        fields: list[Field] = []
        while not self._sign(">"):
            if fields:
                self._expect(",")
            fields.append(Field(self._name(), self.type()))
            self._match(_AFTER_FIELD)
        return tuple(fields)

    def _name(self) -> str:
        quoted = self._match(_QUOTED)
        if quoted is not None:
            return quoted[1].replace("``", "`")
        plain = self._match(_NAMED) or self._match(_NAMED_IN_DDL)
        if plain is None:
            raise _UnreadableError
        return plain[1]
