"""agree: the newest versions of a model's inputs that reflect the same version of every base table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Optional, Union

EraVersion = tuple[int, int]
"""(era, version) of a name. An era is one table under that name; a table created again begins a new era."""


@dataclass(frozen=True)
class Span:
    """The versions of one base table from `first` to `last`, all in one era."""

    first: EraVersion
    last: EraVersion

    def __post_init__(self) -> None:
        assert self.first[0] == self.last[0] and self.first <= self.last, f"{self.first} … {self.last} is no span"

    def intersection(self, other: Span) -> Optional[Span]:
        """The versions in both spans; None when there are none."""
        first, last = max(self.first, other.first), min(self.last, other.last)
        return Span(first, last) if first <= last else None


Vector = Mapping[str, Span]
"""Base table → the versions at which it has the rows that were read."""


@dataclass(frozen=True)
class VersionOption:
    """A version an input can be read at, and the versions of the base tables that its rows then reflect."""

    version: int
    vector: Vector
    mixed: frozenset[str] = frozenset()
    """Base tables of which the rows reflect several versions at once."""


@dataclass(frozen=True)
class Agreement:
    """A version of every input, and the vector they all reflect."""

    options: Mapping[str, VersionOption]
    vector: Vector

    @property
    def mixed(self) -> frozenset[str]:
        return frozenset().union(*(option.mixed for option in self.options.values()))


@dataclass(frozen=True)
class Disagreement:
    """No versions agree: `ahead` has no version that reflects a version of `base` as old as that of `behind`."""

    base: str
    ahead: str
    behind: str


def agree(inputs: Mapping[str, Iterable[VersionOption]]) -> Union[Agreement, Disagreement]:
    """The greatest agreement: every input as new as the others allow.

    Each input gives its options newest first, and at least one. The search goes back one input at a time and never
    further than the conflict requires, so it cannot pass the greatest agreement: where inputs only ever went forward,
    the pointwise maximum of two agreements is an agreement too.
    """
    remaining: dict[str, Iterator[VersionOption]] = {name: iter(options) for name, options in inputs.items()}
    chosen = {name: next(options) for name, options in remaining.items()}
    while (conflict := _conflict(chosen)) is not None:
        base, behind = conflict
        ceiling = chosen[behind].vector[base].last
        for name in sorted(chosen):
            if not _reaches_back_to(chosen[name], base, ceiling):
                older = next(
                    (candidate for candidate in remaining[name] if _reaches_back_to(candidate, base, ceiling)), None
                )
                if older is None:
                    return Disagreement(base, ahead=name, behind=behind)
                chosen[name] = older
    return Agreement(chosen, _common_vector(chosen))


def _conflict(chosen: Mapping[str, VersionOption]) -> Optional[tuple[str, str]]:
    """A base table whose spans have no version in common, and the input whose span of it ends first."""
    for base in sorted({base for option in chosen.values() for base in option.vector}):
        spans = {name: option.vector[base] for name, option in chosen.items() if base in option.vector}
        behind = min(spans, key=lambda name: (spans[name].last, name))
        if any(span.first > spans[behind].last for span in spans.values()):
            return base, behind
    return None


def _reaches_back_to(option: VersionOption, base: str, ceiling: EraVersion) -> bool:
    span = option.vector.get(base)
    return span is None or span.first <= ceiling


def _common_vector(chosen: Mapping[str, VersionOption]) -> Vector:
    vector, mixed = combine_vectors(chosen)
    assert not mixed, f"read at several versions: {sorted(mixed)}"
    return vector


def combine_vectors(chosen: Mapping[str, VersionOption]) -> tuple[Vector, frozenset[str]]:
    """The vector that inputs reflect together, and the base tables of which they reflect no common version."""
    vector: dict[str, Span] = {}
    mixed: set[str] = set()
    for option in chosen.values():
        for base, span in option.vector.items():
            common = vector[base].intersection(span) if base in vector else span
            if common is None:
                mixed.add(base)
            else:
                vector[base] = common
    return {base: span for base, span in vector.items() if base not in mixed}, frozenset(mixed)
