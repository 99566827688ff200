"""Text tables that fit the terminal: empty columns and columns for which there is no room are left out."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from dbt.adapters.trickle.monitoring.short_numbers import NONE

GAP = "  "
SHORTEST = 12
"""The width below which no column is shortened."""


@dataclass(frozen=True)
class TextColumn:
    """A column and its cells."""

    title: str
    cells: Sequence[str]
    right: bool = False
    rank: int = 0
    """Columns of higher rank are dropped first when there is no room; those of rank 0 stay."""
    shortens: bool = False
    ends: bool = False
    """Whether a shortened cell keeps its end as well as its beginning, as names should."""


def text_table(columns: Sequence[TextColumn], width: int | None) -> list[str]:
    """The lines of a table, titles first; a last line names the columns that did not fit."""
    shown = [column for column in columns if not column.rank or any(cell not in ("", NONE) for cell in column.cells)]
    left_out: list[str] = []
    while width is not None and _least(shown) > width and any(column.rank for column in shown):
        last = max(shown, key=lambda column: column.rank)
        shown.remove(last)
        left_out.append(last.title.lower())
    widths = _widths(shown, width)
    rows = [[column.title for column in shown], *zip(*(column.cells for column in shown))]
    lines = [GAP.join(_cell(*part) for part in zip(row, widths, shown)).rstrip() for row in rows]
    if left_out and width is not None:
        rest = ", ".join(reversed(left_out))
        lines += ["", *textwrap.wrap(f"No room for: {rest}. A wider window or --format json shows all.", width)]
    return lines


def display_width(text: str) -> int:
    """The columns of a terminal that the text takes: two per East Asian character, none per combining one."""
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )


def shortened(text: str, width: int, ends: bool = True) -> str:
    """The beginning and the end, which distinguish long names, or the beginning alone."""
    if display_width(text) <= width:
        return text
    keep = max(2, width - 1)
    tail = keep // 2 if ends else 0
    return f"{text[: keep - tail]}…{text[len(text) - tail :]}"


def _full(column: TextColumn) -> int:
    return max(display_width(text) for text in (column.title, *column.cells))


def _least(columns: Sequence[TextColumn]) -> int:
    """The width the columns need; those that may be shortened need half of their full width, to stay readable."""
    each = [
        max(SHORTEST, _full(column) // 2) if column.shortens and _full(column) > SHORTEST else _full(column)
        for column in columns
    ]
    return sum(each) + len(GAP) * max(0, len(each) - 1)


def _widths(columns: Sequence[TextColumn], width: int | None) -> list[int]:
    widths = [_full(column) for column in columns]
    over = sum(widths) + len(GAP) * max(0, len(widths) - 1) - (width or 0)
    if width is None or over <= 0:
        return widths
    for index, column in enumerate(columns):
        if column.shortens and over > 0:
            given = min(over, max(0, widths[index] - SHORTEST))
            widths[index] -= given
            over -= given
    return widths


def _cell(text: str, width: int, column: TextColumn) -> str:
    short = shortened(text, width, column.ends) if column.shortens else text
    padding = " " * (width - display_width(short))
    return padding + short if column.right else short + padding
