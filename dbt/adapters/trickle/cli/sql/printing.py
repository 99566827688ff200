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
class Result:
    """The result of a statement; `columns` is empty if it has none."""

    columns: tuple[str, ...]
    rows: Sequence[Sequence[Any]]
    more: bool = False
    """Whether there are more rows than the limit."""


def printed(result: Result, form: str, width: Optional[int]) -> str:
    """The result as text; '' for a statement without columns."""
    if not result.columns:
        return ""
    match form:
        case "json":
            return "\n".join(_object(result.columns, row) for row in result.rows)
        case "csv":
            return _csv(result)
        case _:
            return _table(result, width)


def _table(result: Result, width: Optional[int]) -> str:
    from dbt.adapters.trickle.monitoring.text_table import TextColumn, text_table

    columns = []
    for index, name in enumerate(result.columns):
        values = [row[index] for row in result.rows]
        cells = [_one_line(NULL if value is None else text_of(value)) for value in values]
        numbers = any(_is_number(value) for value in values)
        columns.append(TextColumn(name, cells, right=numbers, shortens=not numbers))
    count = "1 row" if len(result.rows) == 1 else f"{len(result.rows)} rows"
    count = f"the first {count}; --limit 0 prints all" if result.more else count
    return "\n".join([*text_table(columns, width), f"({count})"])


def _one_line(text: str) -> str:
    joined = text.replace("\n", "⏎").replace("\t", " ")
    return joined if len(joined) <= WIDEST_CELL else f"{joined[: WIDEST_CELL - 1]}…"


def _csv(result: Result) -> str:
    """CSV with a header. NULL is an empty field; an empty text is quoted."""
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_MINIMAL, lineterminator="\n")
    writer.writerow(result.columns)
    writer.writerows([["" if value is None else text_of(value) for value in row] for row in result.rows])
    return out.getvalue().rstrip("\n")


def _object(columns: Sequence[str], row: Sequence[Any]) -> str:
    return json.dumps(dict(zip(columns, map(plain, row))), ensure_ascii=False)


def text_of(value: Any) -> str:
    """The value as SQL writes it; nested values as JSON."""
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
    """The value as JSON. Decimals, dates and bytes are strings, which lose no digits."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if value == value and abs(value) != float("inf") else str(value)
        case Mapping():
            return {text_of(key): plain(item) for key, item in value.items()}
        case list():
            return [plain(item) for item in value]
        case tuple():
            names = getattr(value, "__fields__", None)
            return dict(zip(names, map(plain, value))) if names else [plain(item) for item in value]
        case date() if not isinstance(value, datetime):
            return value.isoformat()
        case _:
            return text_of(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)
