"""The user's own text, kept word for word, with its tables pinned to versions when it is run.

This is what FULL runs and what the result is compared with: never a query printed anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Optional, Union

from sqlglot import exp

from trickle.catalog.tables import Source
from trickle.errors import Position
from trickle.lower.select.clock import PlacedClockCall
from trickle.plan.clock import ClockCall
from trickle.sql.build import verbatim
from trickle.sql.feeds import FeedRead
from trickle.sql.parse import parse_select
from trickle.sql.text import splice, to_line

ReadSource = Callable[[str], exp.Expr]
"""How a source is read now: a relation without alias."""
Answer = Callable[[ClockCall], exp.Expr]
"""The literal a reading of the clock is worth."""


@dataclass(frozen=True)
class Mention:
    """One mention of a relation in a text."""

    position: Position
    shown_as: str
    """The alias to give when the mention has none and its replacement is no plain table."""
    target: Union[str, PinnedQuery]
    """A source's key, or the query of a view read through."""
    qualifiers: tuple[Position, ...] = ()
    """Where its columns are called by its schema, too: an alias has none."""


@dataclass(frozen=True)
class PinnedQuery:
    """A text and the mentions in it that must be pinned."""

    text: str
    mentions: tuple[Mention, ...]
    calls: tuple[PlacedClockCall, ...] = ()
    """Where the clock is asked. In a view nothing is only shown: the query around it may do anything with it."""
    respelt: tuple[tuple[Position, str], ...] = ()
    """What is spelt otherwise where the text becomes part of a statement."""
    recurs: bool = False
    """Whether this text or a view in it has a recursion."""
    by_position: bool = False
    """Whether this text or a view in it asks for columns by their order: by a star, or by t(a, b)."""
    view: str = ""
    """The name of the view it defines; empty for the model's own."""
    feeds: frozenset[FeedRead] = frozenset()
    """The change feeds that this text or a view in it reads."""
    sources: tuple[Source, ...] = ()
    """The tables that are pinned in this text and in the views in it, each once, in the order they are first named."""

    def at(self, read: ReadSource, answer: Optional[Answer] = None) -> str:
        """The text with every source read the given way, and literals for what it asks the clock.

        Without answers the clock is asked as written.
        Ends with a line break: the text may end in a comment.
        """
        pieces: list[tuple[Position, str]] = []
        unqualified: set[Position] = set()
        for mention in self.mentions:
            replacement, aliased = _replacement(mention, read, answer)
            pieces.append((mention.position, replacement))
            unqualified.update(mention.qualifiers if aliased else ())
        pieces += [(position, "") for position in unqualified]
        return splice(self.text, [*pieces, *self._answers(answer), *self.respelt]) + "\n"

    def relation(self, read: ReadSource, answer: Answer) -> exp.Expr:
        """The pinned text as a tree that prints as it is."""
        return verbatim(self.at(read, answer))

    def asking_no_clock(self, answer: Answer) -> list[str]:
        """This text and those of the views in it, with literals for what they ask the clock."""
        inner = [text for view in self._views() for text in view.asking_no_clock(answer)]
        return [splice(self.text, [*self._answers(answer), *self.respelt]), *inner]

    def clock_calls(self) -> frozenset[ClockCall]:
        """What this text and the views in it ask the clock."""
        own = frozenset(call.clock_call for call in self.calls)
        return own.union(*(view.clock_calls() for view in self._views()))

    def _answers(self, answer: Optional[Answer]) -> list[tuple[Position, str]]:
        if answer is None:
            return []
        return [(call.position, to_line(answer(call.clock_call))) for call in self.calls]

    def texts(self) -> Iterator[PinnedQuery]:
        """This query and those of the views in it."""
        yield self
        for view in self._views():
            yield from view.texts()

    def _views(self) -> list[PinnedQuery]:
        return [mention.target for mention in self.mentions if isinstance(mention.target, PinnedQuery)]

    def definitions(self) -> list[str]:
        """This text and those of the views in it, canonical: formatting and comments gone."""
        inner = [text for view in self._views() for text in view.definitions()]
        return [to_line(parse_select(self.text)), *inner]


def _replacement(mention: Mention, read: ReadSource, answer: Optional[Answer]) -> tuple[str, bool]:
    """The replacement of a mention, and whether that has an alias the user did not write."""
    if isinstance(mention.target, PinnedQuery):
        return _with_alias(f"({mention.target.at(read, answer)})", mention), bool(mention.shown_as)
    relation = read(mention.target)
    text = to_line(relation)
    if isinstance(relation, exp.Table) and relation.name.lower() == mention.shown_as:
        return text, False
    return _with_alias(text, mention), bool(mention.shown_as)


def _with_alias(text: str, mention: Mention) -> str:
    return f"{text} AS {to_line(exp.to_identifier(mention.shown_as, quoted=True))}" if mention.shown_as else text
