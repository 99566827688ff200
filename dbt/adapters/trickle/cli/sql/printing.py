"""Rows as a table for people, as JSON lines, and as CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Optional

NULL = "NULL"
WIDEST_CELL = 200


@dataclass(frozen=True)
class Answer:
    """The rows of one statement; `columns` is empty where it has none."""

    columns: tuple[str, ...]
    rows: Sequence[Sequence[Any]]
    more: bool = False
    """Whether there are more rows than were asked for."""


def printed(answer: Answer, form: str, width: Optional[int]) -> str:
    """'' for a statement without rows to show."""
    if not answer.columns:
        return ""
    match form:
        case "json":
            return "\n".join(_object(answer.columns, row) for row in answer.rows)
        case "csv":
            return _csv(answer)
        case _:
            return _table(answer, width)


def _table(answer: Answer, width: Optional[int]) -> str:
    from dbt.adapters.trickle.monitoring.text_table import TextColumn, text_table

    columns = []
    for place, name in enumerate(answer.columns):
        values = [row[place] for row in answer.rows]
        cells = [_one_line(NULL if value is None else text_of(value)) for value in values]
        numbers = any(_is_number(value) for value in values)
        columns.append(TextColumn(name, cells, right=numbers, shortens=not numbers))
    count = "1 row" if len(answer.rows) == 1 else f"{len(answer.rows)} rows"
    count = f"the first {count}; --limit 0 prints all" if answer.more else count
    return "\n".join([*text_table(columns, width), f"({count})"])


def _one_line(text: str) -> str:
    joined = text.replace("\n", "⏎").replace("\t", " ")
    return joined if len(joined) <= WIDEST_CELL else f"{joined[: WIDEST_CELL - 1]}…"


def _csv(answer: Answer) -> str:
    """NULL is an empty field, as CSV has nothing better; an empty text is quoted."""
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_MINIMAL, lineterminator="\n")
    writer.writerow(answer.columns)
    writer.writerows([["" if value is None else text_of(value) for value in row] for row in answer.rows])
    return out.getvalue().rstrip("\n")


def _object(columns: Sequence[str], row: Sequence[Any]) -> str:
    return json.dumps(dict(zip(columns, map(plain, row))), ensure_ascii=False)


def text_of(value: Any) -> str:
    """As SQL would write it; nested values as JSON."""
    match value:
        case bool():
            return str(value).lower()
        case bytes() | bytearray():
            return f"X'{bytes(value).hex().upper()}'"
        case datetime():
            return value.isoformat(sep=" ")
        case Decimal():
            return f"{value:f}"
        case Mapping() | list() | tuple():
            return json.dumps(plain(value), ensure_ascii=False)
        case _:
            return str(value)


def plain(value: Any) -> Any:
    """A value as JSON has it. Decimals, dates and bytes are texts, which lose nothing."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if value == value and abs(value) != float("inf") else str(value)
        case Mapping():
            return {text_of(key): plain(one) for key, one in value.items()}
        case list():
            return [plain(one) for one in value]
        case tuple():
            names = getattr(value, "__fields__", None)
            return dict(zip(names, map(plain, value))) if names else [plain(one) for one in value]
        case date() if not isinstance(value, datetime):
            return value.isoformat()
        case _:
            return text_of(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)
