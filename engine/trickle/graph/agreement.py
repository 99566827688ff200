"""agree: the newest versions of a model's inputs that stand for one and the same state of the base tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Optional, Union

EraVersion = tuple[int, int]
"""A place in the life of a name: (era, version). An era is one table under that name; later tables, later eras."""


@dataclass(frozen=True)
class Span:
    """Moments of one base table, all in one era, from `first` to `last`."""

    first: EraVersion
    last: EraVersion

    def __post_init__(self) -> None:
        assert self.first[0] == self.last[0] and self.first <= self.last, f"{self.first} … {self.last} is no span"

    def meet(self, other: Span) -> Optional[Span]:
        """The moments in both."""
        first, last = max(self.first, other.first), min(self.last, other.last)
        return Span(first, last) if first <= last else None


Vector = Mapping[str, Span]
"""Base table → the moments at which it has the rows that are meant."""


@dataclass(frozen=True)
class VersionOption:
    """One version an input can be read at, and the moments of the base tables its rows then stand for."""

    version: int
    vector: Vector
    mixed: frozenset[str] = frozenset()
    """Base tables it was read from at several moments at once: it stands for no single one of them."""


@dataclass(frozen=True)
class Agreement:
    """A version of every input, and the vector they all stand for."""

    options: Mapping[str, VersionOption]
    vector: Vector

    @property
    def mixed(self) -> frozenset[str]:
        return frozenset().union(*(option.mixed for option in self.options.values()))


@dataclass(frozen=True)
class Disagreement:
    """No versions fit: `ahead` has no version old enough for `behind`, as far as `base` is concerned."""

    base: str
    ahead: str
    behind: str


def agree(inputs: Mapping[str, Iterable[VersionOption]]) -> Union[Agreement, Disagreement]:
    """The greatest agreement: every input as new as the others allow.

    Each input offers its standings newest first, and none is empty. Going back one input at a time, and never
    further than the conflict demands, cannot pass the greatest agreement: where inputs only ever went forward,
    the pointwise newer of two agreements is an agreement too.
    """
    waiting: dict[str, Iterator[VersionOption]] = {name: iter(options) for name, options in inputs.items()}
    chosen = {name: next(options) for name, options in waiting.items()}
    while (conflict := _conflict(chosen)) is not None:
        base, behind = conflict
        ceiling = chosen[behind].vector[base].last
        for name in sorted(chosen):
            if not _fits_below(chosen[name], base, ceiling):
                older = next((one for one in waiting[name] if _fits_below(one, base, ceiling)), None)
                if older is None:
                    return Disagreement(base, ahead=name, behind=behind)
                chosen[name] = older
    return Agreement(chosen, _common(chosen))


def _conflict(chosen: Mapping[str, VersionOption]) -> Optional[tuple[str, str]]:
    """A base table whose spans have no moment in common, and the input that stands furthest back on it."""
    for base in sorted({base for option in chosen.values() for base in option.vector}):
        spans = {name: option.vector[base] for name, option in chosen.items() if base in option.vector}
        behind = min(spans, key=lambda name: (spans[name].last, name))
        if any(span.first > spans[behind].last for span in spans.values()):
            return base, behind
    return None


def _fits_below(option: VersionOption, base: str, ceiling: EraVersion) -> bool:
    span = option.vector.get(base)
    return span is None or span.first <= ceiling


def _common(chosen: Mapping[str, VersionOption]) -> Vector:
    vector, mixed = blend(chosen)
    assert not mixed, f"read at several moments: {sorted(mixed)}"
    return vector


def blend(chosen: Mapping[str, VersionOption]) -> tuple[Vector, frozenset[str]]:
    """What inputs that need not agree stand for together, and the base tables for which that is no single moment."""
    vector: dict[str, Span] = {}
    mixed: set[str] = set()
    for option in chosen.values():
        for base, span in option.vector.items():
            met = vector[base].meet(span) if base in vector else span
            if met is None:
                mixed.add(base)
            else:
                vector[base] = met
    return {base: span for base, span in vector.items() if base not in mixed}, frozenset(mixed)
