"""Spark counts the lines of the statement it was given; a user counts those of the model inside it."""

from __future__ import annotations

import re

_PLACE = re.compile(r"\bline (\d+)(?=,? pos)")


def in_model_lines(message: str, statement: str, model: str) -> str:
    """The message with the lines of the model, if its text stands in the statement as it was written."""
    text = model.strip()
    begin = statement.find(text) if text else -1
    if begin < 0:
        return message
    own_first = model[: model.index(text)].count("\n")
    before = statement.count("\n", 0, begin) - own_first
    last = before + own_first + text.count("\n") + 1

    def moved(found: re.Match[str]) -> str:
        line = int(found[1])
        return f"line {line - before}" if before + own_first < line <= last else found[0]

    return _PLACE.sub(moved, message)
