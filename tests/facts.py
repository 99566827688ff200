"""The engine's questions answered from plain functions, for tests that need no catalog."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Optional, TypeVar, Union

from trickle import (
    CompiledView,
    Explanation,
    Facts,
    Name,
    Options,
    Questions,
    Relation,
    Routine,
    Schema,
    compile_view,
    explain,
)
from trickle.lower.sources.pin import pin
from trickle.lower.sources.pinned import PinnedQuery

Result = TypeVar("Result")
Resolve = Callable[[Name], Optional[Relation]]
ResolveRoutine = Callable[[Name], Optional[Routine]]
AskTypes = Callable[[str], Sequence[tuple[str, str]]]


def compiled(
    text: str,
    resolve: Resolve,
    output: Optional[Schema] = None,
    options: Options = Options(),  # noqa: B008 - frozen
    resolve_routine: ResolveRoutine = lambda name: None,
    ask_types: Optional[AskTypes] = None,
) -> CompiledView:
    """The view, with every question answered."""
    known = Facts(types=None if ask_types is None else {}, output=output)
    return _answered(lambda facts: compile_view(text, facts, options), known, resolve, resolve_routine, ask_types)


def explained(text: str, resolve: Resolve, options: Options = Options()) -> Explanation:  # noqa: B008 - frozen
    return _answered(lambda facts: explain(text, facts, options), Facts(), resolve)


def pinned(text: str, resolve: Resolve) -> PinnedQuery:
    return _answered(lambda facts: pin(text, facts), Facts(), resolve)


def _answered(
    step: Callable[[Facts], Union[Result, Questions]],
    facts: Facts,
    resolve: Resolve,
    resolve_routine: ResolveRoutine = lambda name: None,
    ask_types: Optional[AskTypes] = None,
) -> Result:
    while isinstance(found := step(facts), Questions):
        types = {}
        if ask_types is not None:
            types = {query: tuple(kind for _, kind in ask_types(query)) for query in found.types}
        facts = facts.plus(
            {name: resolve(name) for name in found.relations},
            {name: resolve_routine(name) for name in found.routines},
            types if ask_types is not None else None,
        )
    return found
