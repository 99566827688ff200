"""choose: the version at which a model reads each of its inputs, and why, where that is not the newest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Optional

from trickle.errors import Reason
from trickle.graph.agreement import Agreement, Disagreement, EraVersion, Span, Vector, VersionOption, agree, blend
from trickle.reasons import reason


@dataclass(frozen=True)
class PreviousPosition:
    """Where the model stood after its last refresh: what it read, and the vector that was."""

    versions: Mapping[str, int]
    vector: Mapping[str, EraVersion]


@dataclass(frozen=True)
class Choice:
    """What is read, and what the rows made from it stand for."""

    versions: Mapping[str, int]
    vector: Mapping[str, EraVersion]
    mixed: frozenset[str] = frozenset()
    held_back: Optional[Reason] = None
    """Why something newer is left unread."""
    disagreeing: Optional[Reason] = None
    """Why the rows stand for no single vector."""


def choose(
    bases: Mapping[str, Span], streams: Mapping[str, Iterator[VersionOption]], stood: Optional[PreviousPosition] = None
) -> Choice:
    """The newest versions on which all inputs agree.

    `bases` are the tables the model reads itself, each with the moments it may be read at: from the model's own last
    refresh to where the run has pinned it. `streams` are the stream tables it reads, with their standings newest
    first, none from before the model's own last refresh and none without any.
    Where nothing agrees, the model stays where it stood; where it stood nowhere, it reads the newest of each.
    """
    newest = {name: VersionOption(span.last[1], {name: span}) for name, span in bases.items()}
    newest |= {name: next(options) for name, options in streams.items()}
    agreed = agree({name: chain([first], streams.get(name, ())) for name, first in newest.items()})
    match agreed:
        case Agreement():
            return _agreed(bases, newest, agreed)
        case Disagreement() if stood is not None and stood.versions.keys() == newest.keys():
            why = reason("held_back", detail=f"{_clash(agreed, newest)}, so the table stays where it stands")
            return Choice(stood.versions, stood.vector, held_back=why)
        case Disagreement():
            vector, mixed = blend(newest)
            why = reason("inputs_disagree", detail=_clash(agreed, newest))
            versions = {name: option.version for name, option in newest.items()}
            return Choice(versions, _lasts(vector), mixed.union(*(one.mixed for one in newest.values())), None, why)


def _agreed(bases: Mapping[str, Span], newest: Mapping[str, VersionOption], agreed: Agreement) -> Choice:
    versions = {
        name: agreed.vector[name].last[1] if name in bases else option.version
        for name, option in agreed.options.items()
    }
    held = [_held(name, base, versions, agreed) for name, base in sorted(_held_back(newest, agreed).items())]
    mixtures = sorted(name for name, option in agreed.options.items() if option.mixed)
    inherited = [f"{name} does not stand for one version of {_list(agreed.options[name].mixed)}" for name in mixtures]
    return Choice(
        versions,
        _lasts(agreed.vector),
        agreed.mixed,
        reason("held_back", detail="; ".join(held)) if held else None,
        reason("inputs_disagree", detail="; ".join(inherited)) if inherited else None,
    )


def _lasts(vector: Vector) -> Mapping[str, EraVersion]:
    """Where tables that are read themselves are read, and a moment at which all others have the rows that are meant."""
    return {base: span.last for base, span in vector.items()}


def _held_back(newest: Mapping[str, VersionOption], agreed: Agreement) -> Mapping[str, str]:
    """Inputs that are read older than they are, each with a base table because of which they are."""
    return {
        name: base
        for name, option in newest.items()
        for base, span in option.vector.items()
        if span.last > agreed.vector[base].last and _differs(name, base, option, agreed)
    }


def _differs(name: str, base: str, option: VersionOption, agreed: Agreement) -> bool:
    """Whether other rows are read than the newest: of a table read itself, or of a stream table's other refresh."""
    return name == base or option.version != agreed.options[name].version


def _held(name: str, base: str, versions: Mapping[str, int], agreed: Agreement) -> str:
    ceiling = agreed.vector[base].last
    behind = next(one for one, s in agreed.options.items() if base in s.vector and s.vector[base].last == ceiling)
    return f"{name} is read at version {versions[name]}, because {behind} stands for version {ceiling[1]} of {base}"


def _clash(found: Disagreement, newest: Mapping[str, VersionOption]) -> str:
    behind = newest[found.behind].vector.get(found.base)
    ahead = newest[found.ahead].vector.get(found.base)
    if behind is None or ahead is None:
        return f"{found.behind} and {found.ahead} never stood for the same version of {found.base}"
    if behind.last[0] != ahead.last[0]:
        return f"{found.behind} was made from another table called {found.base} than {found.ahead}"
    return (
        f"{found.behind} stands for version {behind.last[1]} of {found.base} "
        f"and {found.ahead} for no version before {ahead.first[1]}"
    )


def _list(names: frozenset[str]) -> str:
    return ", ".join(sorted(names))
