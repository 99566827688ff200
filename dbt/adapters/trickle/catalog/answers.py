"""Answering the engine's questions: what a name is, what a function is, which types a query has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Optional, TypeVar, Union

from trickle import Facts, Name, Questions, Relation, Routine

Result = TypeVar("Result")
Resolve = Callable[[Name], Optional[Relation]]
Columns = Callable[[str], Sequence[tuple[str, str]]]
"""Query → names and types of its columns."""


def _no_routine(name: Name) -> Optional[Routine]:
    return None


@dataclass(frozen=True)
class Answers:
    """Where the answers come from."""

    relation: Resolve
    routine: Callable[[Name], Optional[Routine]] = _no_routine
    columns: Optional[Columns] = None
    """None: there is no Spark to be asked."""

    def facts(self, questions: Questions, known: Facts) -> Facts:
        """What is known, and the answer to every question, each asked once."""
        columns = self.columns
        if columns is None:
            types = None
        else:
            types = {query: tuple(kind for _, kind in columns(query)) for query in questions.types}
        return known.plus(
            {name: self.relation(name) for name in questions.relations},
            {name: self.routine(name) for name in questions.routines},
            types,
        )


def answered(
    step: Callable[[Facts], Union[Result, Questions]],
    answers: Answers,
    known: Facts = Facts(),  # noqa: B008 - frozen
) -> tuple[Result, Facts]:
    """The result of a function of facts, once every question it has is answered, and the facts it took."""
    facts = known if answers.columns is None or known.types is not None else known.plus(types={})
    while isinstance(outcome := step(facts), Questions):
        facts = answers.facts(outcome, facts)
    return outcome, facts
