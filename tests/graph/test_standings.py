"""Whatever a stream table is said to reflect, its rows are its query there: on histories drawn at random."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from dbt.adapters.trickle.versions.version_options import PastRefresh, VersionOptions
from trickle.catalog.frontier import SourcePosition
from trickle.graph.agreement import EraVersion, Span, Vector, VersionOption
from trickle.graph.choice import Choice, choose

READS = {"m": ("r",), "n": ("r", "s"), "k": ("m", "s"), "d": ("m", "n"), "e": ("k", "d", "r")}
"""Stream table → what it reads: two diamonds, and base tables at several levels."""


@dataclass
class Memory:
    """Tables whose rows are one number of three, so that they often stay the same while what is behind them changes."""

    bases: dict[str, list[int]] = field(default_factory=lambda: {"r": [0], "s": [0]})
    """Base table → its rows by version."""
    stored: dict[str, list[tuple[int, Mapping[str, int], Choice | None]]] = field(default_factory=dict)
    """Stream table → by version: rows, the versions read, and the choice, where it was recorded."""

    def write(self, base: str, rows: int) -> None:
        self.bases[base].append(rows)

    def refresh(self, table: str, recording: bool) -> None:
        """As a run of this table alone would: the newest that fits."""
        known = VersionOptions(self)
        bases = {one: Span((1, 0), (1, len(self.bases[one]) - 1)) for one in READS[table] if one in self.bases}
        streams = {one: known.of(one) for one in READS[table] if one in self.stored}
        if len(bases) + len(streams) < len(READS[table]):
            return
        choice = choose(bases, streams)
        rows = sum(self.rows(name, version) for name, version in choice.versions.items()) % 3
        stored = self.stored.setdefault(table, [])
        stored.append((rows, choice.versions, choice if recording else None))

    def rows(self, table: str, version: int) -> int:
        return self.bases[table][version] if table in self.bases else self.stored[table][version][0]

    def query(self, table: str, vector: Mapping[str, int]) -> int:
        """The rows of a table over base tables at a vector."""
        if table in self.bases:
            return self.bases[table][vector[table]]
        return sum(self.query(name, vector) for name in READS[table]) % 3

    def is_stream(self, table: str) -> bool:
        return table in READS

    def refreshes(self, table: str) -> Iterator[PastRefresh]:
        stored = self.stored[table]
        for version in reversed(range(len(stored))):
            frontier = {name: SourcePosition("", at, 0) for name, at in stored[version][1].items()}
            since, until = self._same(table, version)
            yield PastRefresh(version, since, until, frontier, self._recorded(stored[version][2], until))

    def _recorded(self, choice: Choice | None, version: int) -> VersionOption | None:
        if choice is None:
            return None
        spans = {base: self.same_rows(base, SourcePosition("", at, 0)) for base, (_, at) in choice.vector.items()}
        return VersionOption(version, spans, choice.mixed)

    def rows_at(self, table: str, position: SourcePosition) -> int | None:
        return self._same(table, position.version)[0]

    def same_rows(self, table: str, position: SourcePosition) -> Span:
        since, until = self._same(table, position.version)
        return Span((1, since), (1, until))

    def _same(self, table: str, version: int) -> tuple[int, int]:
        """The versions around one that hold the same rows."""
        newest = len(self.bases[table] if table in self.bases else self.stored[table]) - 1
        since = until = version
        while since > 0 and self.rows(table, since - 1) == self.rows(table, version):
            since -= 1
        while until < newest and self.rows(table, until + 1) == self.rows(table, version):
            until += 1
        return since, until


@st.composite
def histories(draw: st.DrawFn) -> Memory:
    """Writes and refreshes in any order; some refreshes keep no record of their vector."""
    memory = Memory()
    recording = draw(st.booleans())
    for _ in range(draw(st.integers(3, 25))):
        if draw(st.booleans()):
            memory.write(draw(st.sampled_from("rs")), draw(st.integers(0, 2)))
        else:
            memory.refresh(draw(st.sampled_from(sorted(READS))), recording)
    return memory


def moments(vector: Mapping[str, EraVersion]) -> Mapping[str, int]:
    return {base: version for base, (_, version) in vector.items()}


def corners(vector: Vector) -> Iterator[Mapping[str, int]]:
    """The first and the last version of every span, in all combinations."""
    ends = [[(base, end[1]) for end in {span.first, span.last}] for base, span in vector.items()]
    yield from map(dict, product(*ends))


@given(histories())
def test_what_is_said_of_a_table_is_true(memory: Memory) -> None:
    """At every vector that a refresh is said to reflect, the rows that are read are the query's."""
    for table in memory.stored:
        for option in VersionOptions(memory).of(table):
            if not option.mixed:
                for vector in corners(option.vector):
                    assert memory.rows(table, option.version) == memory.query(table, vector)


@given(histories(), st.sampled_from(sorted(READS)))
def test_a_choice_is_one_vector_or_says_why_not(memory: Memory, table: str) -> None:
    """Rows made from the chosen versions are the query at the chosen vector; a mixture always has its reason."""
    if not all(name in memory.bases or name in memory.stored for name in READS[table]):
        return
    known = VersionOptions(memory)
    bases = {one: Span((1, 0), (1, len(memory.bases[one]) - 1)) for one in READS[table] if one in memory.bases}
    choice = choose(bases, {one: known.of(one) for one in READS[table] if one in memory.stored})

    if choice.mixed:
        assert choice.disagreeing is not None
    else:
        made = sum(memory.rows(name, version) for name, version in choice.versions.items()) % 3
        assert choice.disagreeing is None
        assert made == memory.query(table, moments(choice.vector))
    newest = all(choice.versions[one] == span.last[1] for one, span in bases.items())
    assert newest or choice.waiting is not None or choice.disagreeing is not None
