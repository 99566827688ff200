"""Text tables that fit: columns that say nothing, or for which there is no room, are left out and named."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from dbt.adapters.trickle.monitoring.short_numbers import NONE

GAP = "  "
SHORTEST = 12
"""To what a column that may be shortened is shortened at most."""


@dataclass(frozen=True)
class Column:
    """A column and its cells."""

    title: str
    cells: Sequence[str]
    right: bool = False
    rank: int = 0
    """Columns of higher rank go first when there is no room; those of rank 0 stay."""
    shortens: bool = False
    ends: bool = False
    """Whether what is shortened keeps its end as well as its beginning, as names should."""


def table(columns: Sequence[Column], width: int | None) -> list[str]:
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
    """How many places a terminal gives it: East Asian signs take two, combining ones none."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text
    )


def shortened(text: str, width: int, ends: bool = True) -> str:
    """The beginning and the end, which tell long names apart, or the beginning alone."""
    if display_width(text) <= width:
        return text
    keep = max(2, width - 1)
    tail = keep // 2 if ends else 0
    return f"{text[: keep - tail]}…{text[len(text) - tail :]}"


def _full(column: Column) -> int:
    return max(display_width(text) for text in (column.title, *column.cells))


def _least(columns: Sequence[Column]) -> int:
    """Columns that may be shortened still want half of what they have, so that names stay names."""
    each = [max(SHORTEST, _full(one) // 2) if one.shortens and _full(one) > SHORTEST else _full(one) for one in columns]
    return sum(each) + len(GAP) * max(0, len(each) - 1)


def _widths(columns: Sequence[Column], width: int | None) -> list[int]:
    widths = [_full(column) for column in columns]
    over = sum(widths) + len(GAP) * max(0, len(widths) - 1) - (width or 0)
    if width is None or over <= 0:
        return widths
    for place, column in enumerate(columns):
        if column.shortens and over > 0:
            given = min(over, max(0, widths[place] - SHORTEST))
            widths[place] -= given
            over -= given
    return widths


def _cell(text: str, width: int, column: Column) -> str:
    short = shortened(text, width, column.ends) if column.shortens else text
    padding = " " * (width - display_width(short))
    return padding + short if column.right else short + padding
