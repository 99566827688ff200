"""Many small subqueries, and what Spark 4.2 answered to each: rows over three tables with NULLs, or a refusal.

`tests/spark/test_recorded_answers.py` asks Spark again. Values are told as text: what is a whole number here may be a
decimal elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.oracle.generate_data import Table, World
from tests.oracle.zset import Row

FILE = Path(__file__).with_name("recorded.jsonl")
TYPES = {
    "l": {"id": "int", "k": "int", "v": "string", "n": "int"},
    "r": {"id": "int", "k": "int", "w": "int"},
    "t": {"id": "int", "k": "int", "x": "int"},
}
ROWS: dict[str, tuple[Row, ...]] = {
    "l": ((1, 1, "a", 1), (2, 2, "b", 2), (3, None, "c", 3), (4, 4, None, None), (5, 3, "a", 4), (6, 1, "b", 3)),
    "r": ((1, 1, 1), (2, 1, 5), (3, 2, 2), (4, None, 7), (5, 5, None), (6, 2, 3)),
    "t": ((1, 1, 1), (2, 2, 3), (3, 3, None), (4, 1, 5)),
}


@dataclass(frozen=True)
class Recorded:
    """A query and what Spark says to it; no rows at all when it refuses the query."""

    sql: str
    rows: tuple[tuple[str, ...], ...] | None


def recorded() -> list[Recorded]:
    """Every query of the file."""
    told = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
    return [Recorded(one["sql"], None if one.get("refused") else as_text(one["rows"])) for one in told]


def world() -> World:
    """The tables the queries are over. Nothing changes in them."""
    return World(tuple(Table(name, TYPES[name], rows, rows, False, False, ()) for name, rows in ROWS.items()))


def as_text(rows: Iterable[Iterable[Any]]) -> tuple[tuple[str, ...], ...]:
    """Rows in an order of their own, as texts that every engine gives alike."""
    return tuple(sorted(tuple(_text(value) for value in row) for row in rows))


def _text(value: Any) -> str:
    try:
        return str(value) if isinstance(value, bool) else f"{float(value):.6g}"
    except (TypeError, ValueError):
        return str(value)
