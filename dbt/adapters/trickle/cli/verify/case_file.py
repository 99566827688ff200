"""Parses case files: scenarios as text. docs/contributing/cases.md describes the format."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path

from dbt.adapters.trickle.cli.refusal import Refusal, at, read_text
from dbt.adapters.trickle.cli.schema_file import columns_of
from dbt.adapters.trickle.cli.verify.case_text import Section, sections
from dbt.adapters.trickle.cli.verify.ring_names import RINGS
from dbt.adapters.trickle.cli.verify.scenario import (
    MINUTE,
    Change,
    Expectation,
    Scenario,
    SourceTable,
    Step,
    StreamQuery,
)
from dbt.adapters.trickle.cli.verify.variants import VARIANTS, with_variants

CASE = ".case"
ACTIONS = ("NO_DATA", "APPEND", "INCREMENTAL", "FULL", "REINITIALIZE")
STRATEGIES = ("append", "overwrite", "overwrite_all", "recount", "merge_by_key", "replace_groups")
KNOWN = "clock, table, view, step, expect, variants or skip"

_TABLE = re.compile(r"table\s+(\w+)\s*\((.*)\)", re.DOTALL)
_VIEW = re.compile(r"view\s+(\w+)(?:\s+is\s+(incremental|recompute))?")
_EXPECT = re.compile(r"expect\s+(\w+)(?:\s+(\S+))?(?:\s+by\s+(\S+))?")
_SKIP = re.compile(r"skip\s+(\w+)\s*:\s*(.+)")
_STEP = re.compile(r"step(?:\s+at\s+(.+))?")
_CLOCK = re.compile(r"clock\s+(.+)")
_VARIANTS = re.compile(r"variants\s*:\s*(.*)")


def read_cases(path: Path) -> Iterator[Scenario]:
    """The scenarios of a case file with their variants; of a folder, those of every case file below it."""
    if path.is_dir():
        for file in sorted(path.rglob(f"*{CASE}")):
            yield from read_cases(file)
        return
    yield from parse_case(path, read_text(path))


def parse_case(file: Path, text: str) -> list[Scenario]:
    """The scenario of one file and the variants it requests."""
    if not text.startswith("#") or not text.splitlines()[0].strip("# "):
        raise at(file, "the first line must state why the case exists: # …", 1)
    case = _Case(file, text.splitlines()[0].strip("# "))
    for section in sections(file, text):
        case.read_section(section)
    return with_variants(case.scenario(), case.variants)


@dataclass
class _Case:
    """The parts of a case, collected section by section."""

    file: Path
    why: str
    tables: list[SourceTable] = field(default_factory=list)
    views: list[StreamQuery] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    skips: dict[str, str] = field(default_factory=dict)
    variants: tuple[str, ...] = ()
    start: int = MINUTE

    def read_section(self, section: Section) -> None:
        """Read one section, by the first word of its header."""
        match section.header.split(maxsplit=1)[0].rstrip(":"):
            case "table":
                self._table(section)
            case "view":
                self._view(section)
            case "step":
                (at,) = self._header(_STEP, section, "step, or step at 2026-01-31 23:59")
                changes = tuple(Change(sql, f"{self.file}:{line}") for sql, line in self._statements(section))
                self.steps.append(Step(changes, at=None if at is None else self._instant(at, section)))
            case "clock":
                (at,) = self._header(_CLOCK, section, "clock 2026-01-31 23:59")
                self.start = self._instant(at, section)
            case "expect":
                self._expect(section)
            case "skip":
                ring, why = self._header(_SKIP, section, "skip RING: why it cannot run there")
                if ring not in RINGS:
                    raise self._refusal(section, f"{ring!r} is not a ring; there are {', '.join(RINGS)}")
                self.skips[ring] = why
            case "variants":
                self._variants(section)
            case word:
                raise self._refusal(section, f"{word!r} is not known; a section begins with {KNOWN}")

    def scenario(self) -> Scenario:
        for missing, section in ((not self.views, "view"), (not self.steps, "step")):
            if missing:
                raise at(self.file, f"there is no {section}")
        views, steps = tuple(self.views), tuple(self.steps)
        return Scenario(self.file.stem, self.why, tuple(self.tables), views, steps, self.start, self.skips)

    def _instant(self, text: str, section: Section) -> int:
        try:
            instant = datetime.fromisoformat(text).replace(tzinfo=timezone.utc)
        except ValueError as error:
            raise self._refusal(section, f"{text!r} is not an instant; write 2026-01-31 23:59, in UTC") from error
        return int(instant.timestamp() * 1000)

    def _table(self, section: Section) -> None:
        name, columns = self._header(_TABLE, section, "table NAME (column TYPE, …)")
        rows = list(section.items(self.file))
        for row, line in rows:
            if not (row.startswith("(") and row.endswith(")")):
                raise at(self.file, "a row is written as SQL values between parentheses", line)
        try:
            self.tables.append(SourceTable(name, columns_of(columns), tuple(row for row, _ in rows)))
        except Refusal as refusal:
            raise self._refusal(section, str(refusal)) from refusal

    def _view(self, section: Section) -> None:
        name, verdict = self._header(_VIEW, section, "view NAME, or view NAME is incremental (or recompute)")
        if not section.text():
            raise self._refusal(section, f"the view {name} has no query below it")
        self.views.append(StreamQuery(name, section.text(), verdict))

    def _expect(self, section: Section) -> None:
        name, action, strategy = self._header(_EXPECT, section, "expect VIEW [ACTION] [by STRATEGY], rows below")
        if not self.steps:
            raise self._refusal(section, "an expectation belongs after a step")
        if name.lower() not in [view.name.lower() for view in self.views]:
            raise self._refusal(section, f"there is no view {name}")
        for value, allowed in ((action, ACTIONS), (strategy, STRATEGIES)):
            if value is not None and value not in allowed:
                raise self._refusal(section, f"{value!r} is none of {', '.join(allowed)}")
        rows = tuple(row for row, _ in section.items(self.file))
        expected_rows = rows if rows or (action is None and strategy is None) else None
        expected = Expectation(name, action, strategy, expected_rows, f"{self.file}:{section.number}")
        last = self.steps[-1]
        self.steps[-1] = replace(last, expectations=(*last.expectations, expected))

    def _variants(self, section: Section) -> None:
        (words,) = self._header(_VARIANTS, section, "variants: " + " ".join(VARIANTS))
        self.variants = tuple(words.split())
        for word in self.variants:
            if word not in VARIANTS:
                raise self._refusal(section, f"{word!r} is not a variant; there are {', '.join(VARIANTS)}")

    def _statements(self, section: Section) -> Iterator[tuple[str, int]]:
        for sql, line in section.items(self.file):
            if sql.endswith(";"):
                raise at(self.file, "a statement ends where its lines end: leave out the ';'", line)
            yield sql, line

    def _header(self, pattern: re.Pattern[str], section: Section, form: str) -> tuple[str, ...]:
        match = pattern.fullmatch(section.header)
        if not match:
            raise self._refusal(section, f"expected: {form}")
        return match.groups()

    def _refusal(self, section: Section, message: str) -> Refusal:
        return at(self.file, message, section.number)
