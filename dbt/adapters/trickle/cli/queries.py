"""The queries of a command: SQL files, JSONL files of {id, sql}, or standard input."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dbt.adapters.trickle.cli.refusal import Refusal, at, read_text

STANDARD_INPUT = "-"


@dataclass(frozen=True)
class Query:
    """A query and its name in reports."""

    id: str
    sql: str


def read_queries(files: Sequence[str]) -> Iterator[Query]:
    """All queries of all files, in order. A file whose first character is { has one JSON object per line."""
    for file in files:
        text = sys.stdin.read() if file == STANDARD_INPUT else read_text(Path(file))
        if text.lstrip().startswith("{"):
            yield from _from_lines(text, "standard input" if file == STANDARD_INPUT else file)
        elif not text.strip():
            raise Refusal(f"{file}: the file has no query")
        else:
            yield Query("query" if file == STANDARD_INPUT else Path(file).stem, text.strip().rstrip(";"))


def _from_lines(text: str, file: str) -> Iterator[Query]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            raise at(file, f"not JSON: {error}", number) from error
        if not isinstance(record, dict) or not isinstance(record.get("sql"), str):
            raise at(file, 'every line must be an object with "id" and "sql"', number)
        yield Query(str(record.get("id", number)), record["sql"])
