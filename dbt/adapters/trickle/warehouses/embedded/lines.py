"""Line numbers in Spark's messages: Spark counts lines of the statement, a user counts lines of the model in it."""

from __future__ import annotations

import re

_POSITION = re.compile(r"\bline (\d+)(?=,? pos)")


def in_model_lines(message: str, statement: str, model: str) -> str:
    """The message with line numbers of the model, if the statement contains the model's text literally."""
    text = model.strip()
    begin = statement.find(text) if text else -1
    if begin < 0:
        return message
    own_first = model[: model.index(text)].count("\n")
    before = statement.count("\n", 0, begin) - own_first
    last = before + own_first + text.count("\n") + 1

    def in_model(match: re.Match[str]) -> str:
        line = int(match[1])
        return f"line {line - before}" if before + own_first < line <= last else match[0]

    return _POSITION.sub(in_model, message)
