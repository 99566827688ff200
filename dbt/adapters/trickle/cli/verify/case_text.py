"""The sections of a case file: headers in the first column, bodies indented below them. Semicolons do not separate."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from dbt.adapters.trickle.cli.refusal import at


@dataclass(frozen=True)
class Line:
    """A line of a body, as written."""

    text: str
    number: int

    @property
    def indentation(self) -> int:
        return len(self.text) - len(self.text.lstrip())


@dataclass
class Section:
    """A header and the lines below it."""

    header: str
    number: int
    body: list[Line] = field(default_factory=list)

    def text(self) -> str:
        """The whole body as one text."""
        return textwrap.dedent("\n".join(line.text for line in self.body)).strip()

    def items(self, file: Path) -> Iterator[tuple[str, int]]:
        """The body's statements (or rows): each starts at the body's indentation; deeper lines continue it."""
        depth = self.body[0].indentation if self.body else 0
        parts: list[str] = []
        start = 0
        for line in self.body:
            if not line.text.strip():
                continue
            if line.indentation < depth:
                raise at(file, f"indented by {line.indentation}, but its section starts with {depth}", line.number)
            if line.indentation == depth:
                if parts:
                    yield "\n".join(parts), start
                parts, start = [], line.number
            parts.append(line.text.strip())
        if parts:
            yield "\n".join(parts), start


def sections(file: Path, text: str) -> list[Section]:
    """All sections in order. Lines that start with # are comments."""
    result: list[Section] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            continue
        if "\t" in line[: len(line) - len(line.lstrip())]:
            raise at(file, "indented by a tab; use blanks", number)
        if line[:1].strip():
            result.append(Section(line.strip(), number))
        elif result:
            result[-1].body.append(Line(line, number))
        elif line.strip():
            raise at(file, "an indented line before any section", number)
    return result
