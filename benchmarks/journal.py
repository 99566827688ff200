"""The record of a measurement that can be cut off and resumed: one JSON object a line, and what is left to do.

A line's `kind` says what it is: `run` (a process began: machine and settings), `loaded`, `round`, `node`, `end` (of a
round), `check`, `afresh` (what was measured before no longer counts). Only rounds with an end count.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BUILD = "build"
"""The round that builds every table; it changes nothing before."""

Record = Mapping[str, Any]


@dataclass(frozen=True)
class Round:
    """One change, and a refresh of every table by every variant."""

    number: int
    regime: str
    percent: float
    measured: bool
    """The first round of a regime in each process is not: it compiles Java's code, and refreshes what was left."""


class Journal:
    """The file, and its records."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.records: list[Record] = list(_whole_lines(path))

    def write(self, kind: str, **values: Any) -> None:
        """Add a record; it is on disk when this returns."""
        record = {"kind": kind, **values}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")
        self.records.append(record)


def of_kind(records: Sequence[Record], kind: str) -> list[Record]:
    return [record for record in records if record["kind"] == kind]


def counted(records: Sequence[Record]) -> Sequence[Record]:
    """The records after the last beginning afresh."""
    begins = [index for index, record in enumerate(records) if record["kind"] == "afresh"]
    return records[begins[-1] + 1 :] if begins else records


def whole_rounds(records: Sequence[Record]) -> dict[int, Round]:
    """Number → round, for those that came to their end."""
    ended = {record["round"] for record in of_kind(records, "end")}
    rounds = (Round(*(record[name] for name in Round.__annotations__)) for record in of_kind(records, "round"))
    return {one.number: one for one in rounds if one.number in ended}


def remaining(records: Sequence[Record], wanted: Mapping[str, float], rounds: int) -> Iterator[Round]:
    """What a process has to do: build once, then for every regime one unmeasured round, and those that are missing.

    The number of a round that was cut off is not used again: its new orders may be there already.
    """
    whole = whole_rounds(counted(records)).values()
    number = max((record["number"] for record in of_kind(records, "round")), default=-1) + 1
    if not any(one.regime == BUILD for one in whole_rounds(records).values()):
        yield Round(number, BUILD, 0.0, measured=False)
        number += 1
    for regime, percent in wanted.items():
        done = sum(one.measured and (one.regime, one.percent) == (regime, percent) for one in whole)
        for index in range(rounds - done + 1 if done < rounds else 0):
            yield Round(number, regime, percent, measured=index > 0)
            number += 1


def conflict(records: Sequence[Record], settings: Mapping[str, Any], fixed: Sequence[str]) -> str:
    """Why these settings cannot go on with the journal, or nothing.

    Those in `fixed` are those of the folder's tables; with the others one may begin afresh.
    """
    every = of_kind(records, "run")
    if not every:
        return ""
    first = every[0]["settings"]
    for name in fixed:
        if first[name] != settings[name]:
            return f"The folder was loaded with {name} {first[name]}, not {settings[name]}: use another --work."
    for record in of_kind(counted(records), "run"):
        for name, value in record["settings"].items():
            if value != settings[name]:
                return f"The folder was measured with {name} {value}, not {settings[name]}: add --afresh."
    return ""


def _whole_lines(path: Path) -> Iterator[Record]:
    """The records on disk. A last line without an end was cut off while it was written, and is removed."""
    if not path.exists():
        return
    text = path.read_text("utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        path.write_text(whole, "utf-8")
    yield from map(json.loads, whole.splitlines())
