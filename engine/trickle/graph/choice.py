"""choose: the version at which a model reads each of its inputs, and the reason where that is not the newest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Optional

from trickle.errors import Reason
from trickle.graph.agreement import (
    Agreement,
    Disagreement,
    EraVersion,
    Span,
    Vector,
    VersionOption,
    agree,
    combine_vectors,
)
from trickle.reasons import reason


@dataclass(frozen=True)
class PreviousPosition:
    """What the model read at its last refresh, and the vector its rows reflect."""

    versions: Mapping[str, int]
    vector: Mapping[str, EraVersion]


@dataclass(frozen=True)
class Choice:
    """The versions to read, and the vector that the rows computed from them reflect."""

    versions: Mapping[str, int]
    vector: Mapping[str, EraVersion]
    mixed: frozenset[str] = frozenset()
    waiting: Optional[Reason] = None
    """Why a newer version is not read."""
    disagreeing: Optional[Reason] = None
    """Why the rows reflect no single vector."""


def choose(
    bases: Mapping[str, Span],
    streams: Mapping[str, Iterator[VersionOption]],
    previous: Optional[PreviousPosition] = None,
) -> Choice:
    """The newest versions on which all inputs agree.

    `bases` are the tables the model reads directly, each with the versions it may be read at: from the model's own last
    refresh to the version the run has pinned. `streams` are the stream tables it reads, with their options newest
    first, at least one each and none from before the model's own last refresh.
    Where no versions agree, the model stays at its previous position; without one, it reads the newest of each.
    """
    newest = {name: VersionOption(span.last[1], {name: span}) for name, span in bases.items()}
    newest |= {name: next(options) for name, options in streams.items()}
    agreed = agree({name: chain([first], streams.get(name, ())) for name, first in newest.items()})
    match agreed:
        case Agreement():
            return _agreed(bases, newest, agreed)
        case Disagreement() if previous is not None and previous.versions.keys() == newest.keys():
            why = reason("held_back", detail=f"{_conflict_sentence(agreed, newest)}, so the table stays as it is")
            return Choice(previous.versions, previous.vector, waiting=why)
        case Disagreement():
            vector, mixed = combine_vectors(newest)
            why = reason("inputs_disagree", detail=_conflict_sentence(agreed, newest))
            versions = {name: option.version for name, option in newest.items()}
            return Choice(
                versions, _last_versions(vector), mixed.union(*(option.mixed for option in newest.values())), None, why
            )


def _agreed(bases: Mapping[str, Span], newest: Mapping[str, VersionOption], agreed: Agreement) -> Choice:
    versions = {
        name: agreed.vector[name].last[1] if name in bases else option.version
        for name, option in agreed.options.items()
    }
    sentences = [
        _waiting_sentence(name, base, versions, agreed)
        for name, base in sorted(_waiting_inputs(newest, agreed).items())
    ]
    mixtures = sorted(name for name, option in agreed.options.items() if option.mixed)
    inherited = [
        f"{name} does not reflect a single version of {_join_names(agreed.options[name].mixed)}" for name in mixtures
    ]
    return Choice(
        versions,
        _last_versions(agreed.vector),
        agreed.mixed,
        reason("held_back", detail="; ".join(sentences)) if sentences else None,
        reason("inputs_disagree", detail="; ".join(inherited)) if inherited else None,
    )


def _last_versions(vector: Vector) -> Mapping[str, EraVersion]:
    """The last version of each span: the one read, for tables that are read directly."""
    return {base: span.last for base, span in vector.items()}


def _waiting_inputs(newest: Mapping[str, VersionOption], agreed: Agreement) -> Mapping[str, str]:
    """The inputs that are not read at their newest version, each with a base table that requires it."""
    return {
        name: base
        for name, option in newest.items()
        for base, span in option.vector.items()
        if span.last > agreed.vector[base].last and _differs(name, base, option, agreed)
    }


def _differs(name: str, base: str, option: VersionOption, agreed: Agreement) -> bool:
    """Whether the input is read at a version with other rows than its newest."""
    return name == base or option.version != agreed.options[name].version


def _waiting_sentence(name: str, base: str, versions: Mapping[str, int], agreed: Agreement) -> str:
    ceiling = agreed.vector[base].last
    behind = next(
        other
        for other, option in agreed.options.items()
        if base in option.vector and option.vector[base].last == ceiling
    )
    return f"{name} is read at version {versions[name]}, because {behind} reflects version {ceiling[1]} of {base}"


def _conflict_sentence(conflict: Disagreement, newest: Mapping[str, VersionOption]) -> str:
    behind = newest[conflict.behind].vector.get(conflict.base)
    ahead = newest[conflict.ahead].vector.get(conflict.base)
    if behind is None or ahead is None:
        return f"{conflict.behind} and {conflict.ahead} never reflected the same version of {conflict.base}"
    if behind.last[0] != ahead.last[0]:
        return f"{conflict.behind} was computed from another table called {conflict.base} than {conflict.ahead}"
    return (
        f"{conflict.behind} reflects version {behind.last[1]} of {conflict.base} "
        f"and {conflict.ahead} no version before {ahead.first[1]}"
    )


def _join_names(names: frozenset[str]) -> str:
    return ", ".join(sorted(names))
