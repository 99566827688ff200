"""Python values as Spark SQL literals, for seeds: INSERT … VALUES takes no bound parameters."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from dbt_common.exceptions import DbtRuntimeError

PLACEHOLDER = "%s"


def literal(value: Any) -> str:
    """The literal of a value. Numbers are quoted too, so that a cast to decimal does not lose digits to a double."""
    match value:
        case None:
            return "NULL"
        case bool():
            return "true" if value else "false"
        case Decimal():
            return _quoted(format(value, "f"))
        case int() | float():
            return _quoted(repr(value))
        case datetime.datetime():
            return _quoted(value.isoformat(sep=" "))
        case datetime.date() | datetime.time():
            return _quoted(value.isoformat())
        case _:
            return _quoted(str(value))


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def bind(sql: str, bindings: Sequence[Any]) -> str:
    """The statement with each `%s` replaced by a literal; any other `%` is not changed."""
    pieces = sql.split(PLACEHOLDER)
    if len(pieces) != len(bindings) + 1:
        raise DbtRuntimeError(
            f"The statement has {len(pieces) - 1} placeholders (%s) but {len(bindings)} values were given."
        )
    bound = [pieces[0]]
    for value, piece in zip(bindings, pieces[1:], strict=True):
        bound += (literal(value), piece)
    return "".join(bound)
