"""The user's own text, kept word for word, with its tables pinned to versions when it is run.

This is what FULL runs and what the result is compared with: never a query printed anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Union

from sqlglot import exp

from trickle.catalog.frontier import dotted
from trickle.catalog.tables import Name, Resolve, StreamTable, Table, View
from trickle.errors import InternalError, InvalidView, Position
from trickle.lower.session import Source
from trickle.sql.build import verbatim
from trickle.sql.parse import parse_select
from trickle.sql.references import references
from trickle.sql.text import splice, to_line

ReadSource = Callable[[str], exp.Expr]
"""How a source is read now: a relation without alias."""


@dataclass(frozen=True)
class Mention:
    """One mention of a relation in a text."""

    position: Position
    shown_as: str
    """The alias to give when the mention has none and its replacement is no plain table."""
    target: Union[str, PinnedQuery]
    """A source's key, or the query of a view read through."""


@dataclass(frozen=True)
class PinnedQuery:
    """A text and the mentions in it that must be pinned."""

    text: str
    mentions: tuple[Mention, ...]

    def at(self, read: ReadSource) -> str:
        """The text with every source read the given way. Ends with a line break: the text may end in a comment."""
        return splice(self.text, [(mention.position, _replacement(mention, read)) for mention in self.mentions]) + "\n"

    def relation(self, read: ReadSource) -> exp.Expr:
        """The pinned text as a tree that prints as it is."""
        return verbatim(self.at(read))

    def definitions(self) -> list[str]:
        """This text and those of the views in it, canonical: formatting and comments gone."""
        inner = [
            text
            for mention in self.mentions
            if isinstance(mention.target, PinnedQuery)
            for text in mention.target.definitions()
        ]
        return [to_line(parse_select(self.text)), *inner]

    def texts(self) -> list[str]:
        """This text and those of the views in it, as written."""
        return [
            self.text,
            *(text for one in self.mentions if isinstance(one.target, PinnedQuery) for text in one.target.texts()),
        ]


def pin(text: str, resolve: Resolve, sources: dict[str, Source], inside: tuple[Name, ...] = ()) -> PinnedQuery:
    """Find every mention, views included; adds the sources met to `sources`."""
    mentions: list[Mention] = []
    for reference in references(parse_select(text), text):
        relation = resolve(reference.name)
        if reference.position is None:
            raise InternalError(f"no place is known for {dotted(reference.name)}")
        shown_as = "" if reference.aliased else reference.name[-1]
        match relation:
            case None:
                raise InvalidView(f"there is no table or view {dotted(reference.name)}", reference.position)
            case View():
                if relation.name in inside:
                    raise InvalidView(f"the view {dotted(relation.name)} reads itself", reference.position)
                inner = pin(relation.definition, resolve, sources, (*inside, relation.name))
                mentions.append(Mention(reference.position, shown_as, inner))
            case Table() | StreamTable():
                key = dotted(relation.name)
                physical = relation.storage if isinstance(relation, StreamTable) else relation.name
                sources.setdefault(key, Source(key, physical, relation))
                mentions.append(Mention(reference.position, shown_as, key))
    return PinnedQuery(text, tuple(mentions))


def _replacement(mention: Mention, read: ReadSource) -> str:
    if isinstance(mention.target, PinnedQuery):
        return _with_alias(f"({mention.target.at(read)})", mention)
    relation = read(mention.target)
    text = to_line(relation)
    keeps_name = isinstance(relation, exp.Table) and relation.name.lower() == mention.shown_as
    return text if keeps_name else _with_alias(text, mention)


def _with_alias(text: str, mention: Mention) -> str:
    return f"{text} AS {to_line(exp.to_identifier(mention.shown_as, quoted=True))}" if mention.shown_as else text


def same_query(one: str, other: str) -> bool:
    """Whether two texts differ in formatting and comments only. A text that cannot be read is like no other."""
    if one == other:
        return True
    try:
        return to_line(parse_select(one)) == to_line(parse_select(other))
    except InvalidView:
        return False


def referenced(text: str) -> tuple[Name, ...]:
    """The relations a query names, each once, in the order of the text; CTE names are not among them."""
    return tuple(dict.fromkeys(reference.name for reference in references(parse_select(text), text)))
