"""What a refresh did, as lines of a table: taken from the response that dbt also writes into run_results.json."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

WIDTH = 112
NOTHING = "·"
COLUMNS = (("model", 17), ("action", 12), ("rows  + ~ −", 21), ("seconds", 8), ("in full", 8))
INDENT = "  "
MAINTAINED = ("APPEND", "INCREMENTAL")
"""Actions that have several ways of being done."""


@dataclass(frozen=True)
class Refreshed:
    """One line of the table. `in_full` is what recomputing was estimated to cost, where that was weighed."""

    model: str
    action: str
    strategy: str
    reason: str
    rows: tuple[int | None, int | None, int | None]
    versions: tuple[str, ...]
    seconds: float
    in_full: float | None


def refreshed(node: Mapping[str, Any]) -> Refreshed:
    """The line of a finished model."""
    response = node["response"]
    counts = [_whole(response.get(f"rows_{name}")) for name in ("inserted", "updated", "deleted")]
    return Refreshed(
        model=node["name"],
        action=response.get("action") or str(node["status"]).upper(),
        strategy=response.get("strategy") or "",
        reason=response.get("reason") or "",
        rows=(counts[0], counts[1], counts[2]),
        versions=tuple(_steps(response.get("sources") or ())),
        seconds=float(node["seconds"]),
        in_full=(response.get("prices") or {}).get("full"),
    )


def heading() -> str:
    """The table's first line."""
    return INDENT + _aligned([name for name, _ in COLUMNS]) + "  versions read"


def lines(row: Refreshed) -> list[str]:
    """A line of numbers, its versions folded where they do not fit, and the reason under it."""
    in_full = NOTHING if row.in_full is None else f"{row.in_full:.1f}"
    cells = [row.model, row.action, _counts(row), f"{row.seconds:.1f}", in_full]
    room = WIDTH - len(heading()) + len("versions read")
    first, *others = fold(row.versions or (NOTHING,), room)
    how = f"by {row.strategy}: " if row.action in MAINTAINED else ""
    margin = len(heading()) - len("versions read")
    return [
        f"{INDENT}{_aligned(cells)}  {first}",
        *(" " * margin + other for other in others),
        *(f"{INDENT}    {part}" for part in fold(f"{how}{row.reason}".split(), WIDTH - 6, " ")),
    ]


def fold(words: Sequence[str], width: int, between: str = ", ") -> list[str]:
    """Words in lines no longer than the width, as long as a word fits at all."""
    folded: list[str] = []
    for word in words:
        if folded and len(folded[-1] + between + word + between.rstrip()) <= width:
            folded[-1] += between + word
            continue
        if folded:
            folded[-1] += between.rstrip()
        folded.append(word)
    return folded


def _steps(sources: Sequence[Mapping[str, Any]]) -> list[str]:
    """`orders 3→5` for every source that moved, `orders 5` for one that was read whole."""
    steps = []
    for source in sources:
        name = str(source["source"]).rpartition(".")[2].removesuffix("__trickle")
        before, after = _whole(source.get("before")), _whole(source["after"])
        if before is None:
            steps.append(f"{name} {after}")
        elif before != after:
            steps.append(f"{name} {before}→{after}")
    return steps


def _counts(row: Refreshed) -> str:
    if not any(row.rows):
        return NOTHING
    signs = zip(("+", "~", "−"), row.rows)
    return " ".join(f"{sign}{count:,}".replace(",", "\u202f") for sign, count in signs if count)


def _aligned(cells: Sequence[str]) -> str:
    """Words to the left, numbers of seconds to the right."""
    parts = []
    for place, (cell, (_, width)) in enumerate(zip(cells, COLUMNS)):
        parts.append(cell.rjust(width) if place >= 3 else cell.ljust(width))
    return " ".join(parts)


def _whole(number: Any) -> int | None:
    """The event carries every number as a float."""
    return None if number is None else int(number)
