"""The newest common vector: always an agreement, never missed, and never older than it must be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from hypothesis import example, given
from hypothesis import strategies as st

from trickle.graph.agreement import Agreement, Disagreement, Span, VersionOption, agree, combine_vectors

BASES = ("r", "s", "t")
Chains = Mapping[str, Sequence[VersionOption]]


def span(first: int, last: int, era: int = 1) -> Span:
    return Span((era, first), (era, last))


@st.composite
def chains(draw: st.DrawFn) -> Chains:
    """Up to four inputs whose standings only ever went forward, on up to three base tables, newest first."""
    found = {}
    for name in draw(st.sampled_from(("a", "ab", "abc", "abcd"))):
        bases = draw(st.sets(st.sampled_from(BASES), min_size=1))
        reached = {base: draw(st.integers(0, 2)) for base in sorted(bases)}
        options = []
        for version in range(draw(st.integers(1, 5))):
            ends = {base: first + draw(st.integers(0, 2)) for base, first in reached.items()}
            options.append(VersionOption(version, {base: span(reached[base], ends[base]) for base in ends}))
            reached = {base: end + draw(st.integers(0, 2)) for base, end in ends.items()}
        found[name] = tuple(reversed(options))
    return found


def agrees(combination: Sequence[VersionOption]) -> bool:
    return not combine_vectors({str(place): option for place, option in enumerate(combination)})[1]


def agreements(inputs: Chains) -> list[tuple[int, ...]]:
    """Every combination of versions that agrees, found by trying all."""
    return [
        tuple(option.version for option in combination)
        for combination in product(*inputs.values())
        if agrees(combination)
    ]


@given(chains())
@example(
    {
        "a": (VersionOption(1, {"r": span(2, 2)}), VersionOption(0, {"r": span(1, 1)})),
        "b": (VersionOption(0, {"r": span(1, 1)}),),
    }
)
def test_the_greatest_agreement_is_found(inputs: Chains) -> None:
    """What is found is the newest of all agreements for every single input; nothing is found only if there is none."""
    everything = agreements(inputs)

    found = agree(inputs)

    if isinstance(found, Disagreement):
        assert everything == []
    else:
        chosen = tuple(found.options[name].version for name in inputs)
        assert chosen in everything
        assert chosen == tuple(max(versions) for versions in zip(*everything))


@given(chains())
def test_the_vector_is_in_every_span(inputs: Chains) -> None:
    """The vector that is answered is one that every input reflects."""
    found = agree(inputs)

    if isinstance(found, Agreement):
        for option in found.options.values():
            for base, own in option.vector.items():
                assert own.intersection(found.vector[base]) == found.vector[base]


def test_another_table_of_the_name_never_agrees() -> None:
    """Versions start again when a table is dropped and created; a number alone says nothing."""
    old = VersionOption(1, {"r": span(5, 5, era=1)})
    new = VersionOption(1, {"r": span(5, 5, era=2)})

    assert agree({"a": (old,), "b": (new,)}) == Disagreement("r", ahead="b", behind="a")


def test_blend_says_what_is_mixed() -> None:
    """Inputs that need not agree: what they share is kept, what they do not is named."""
    one = VersionOption(1, {"r": span(1, 3), "s": span(1, 1)})
    other = VersionOption(1, {"r": span(2, 5), "s": span(2, 2)})

    assert combine_vectors({"a": one, "b": other}) == ({"r": span(2, 3)}, frozenset({"s"}))
