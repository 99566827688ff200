"""The user's own text, kept word for word, with its tables pinned to versions when it is run.

This is what FULL runs and what the result is compared with: never a query printed anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Optional, Union

from sqlglot import exp

from trickle.catalog.frontier import dotted
from trickle.catalog.tables import Name, Resolve, StreamTable, Table, View
from trickle.errors import InternalError, InvalidView, Position
from trickle.lower.select.clock import PlacedClockCall, clock_calls_in_text
from trickle.lower.session import Source
from trickle.plan.clock import ClockCall
from trickle.sql.build import verbatim
from trickle.sql.feeds import FeedRead, confused_table, feeds_of
from trickle.sql.parse import parse_select, position_of, respellings
from trickle.sql.qualifiers import Qualifier, qualifiers
from trickle.sql.references import references
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
    respellings: tuple[tuple[Position, str], ...] = ()
    """What is said otherwise where the text becomes part of a statement."""
    recurs: bool = False
    """Whether this text or a view in it has a recursion."""
    by_position: bool = False
    """Whether this text or a view in it asks for columns by their order: by a star, or by t(a, b)."""
    view: str = ""
    """The name of the view it defines; empty for the model's own."""
    feeds: frozenset[FeedRead] = frozenset()
    """The change feeds that this text or a view in it reads."""
    tables: frozenset[Name] = frozenset()
    """The physical tables that are pinned in this text and in the views in it."""

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
        return splice(self.text, [*pieces, *self._answers(answer), *self.respellings]) + "\n"

    def relation(self, read: ReadSource, answer: Answer) -> exp.Expr:
        """The pinned text as a tree that prints as it is."""
        return verbatim(self.at(read, answer))

    def asking_no_clock(self, answer: Answer) -> list[str]:
        """This text and those of the views in it, with literals for what they ask the clock."""
        inner = [text for one in self._views() for text in one.asking_no_clock(answer)]
        return [splice(self.text, [*self._answers(answer), *self.respellings]), *inner]

    def clock_calls(self) -> frozenset[ClockCall]:
        """What this text and the views in it ask the clock."""
        own = frozenset(call.clock_call for call in self.calls)
        return own.union(*(one.clock_calls() for one in self._views()))

    def _answers(self, answer: Optional[Answer]) -> list[tuple[Position, str]]:
        if answer is None:
            return []
        return [(call.position, to_line(answer(call.clock_call))) for call in self.calls]

    def texts(self) -> Iterator[PinnedQuery]:
        """This query and those of the views in it."""
        yield self
        for one in self._views():
            yield from one.texts()

    def _views(self) -> list[PinnedQuery]:
        return [one.target for one in self.mentions if isinstance(one.target, PinnedQuery)]

    def definitions(self) -> list[str]:
        """This text and those of the views in it, canonical: formatting and comments gone."""
        inner = [text for one in self._views() for text in one.definitions()]
        return [to_line(parse_select(self.text)), *inner]


def pin(text: str, resolve: Resolve, sources: dict[str, Source], inside: tuple[Name, ...] = ()) -> PinnedQuery:
    """Find every mention, views included; adds the sources met to `sources`."""
    mentions: list[Mention] = []
    tree = parse_select(text)
    qualified = qualifiers(tree, text)
    for reference in references(tree, text):
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
                inner = _pinned_view(relation, reference.position, resolve, sources, inside)
                mentions.append(Mention(reference.position, shown_as, inner, _called_by(relation.name, qualified)))
            case Table() | StreamTable():
                key = dotted(relation.name)
                physical = relation.storage if isinstance(relation, StreamTable) else relation.name
                sources.setdefault(key, Source(key, physical, relation))
                mentions.append(Mention(reference.position, shown_as, key, _called_by(relation.name, qualified)))
    calls = clock_calls_in_text(tree, text)
    views = [mention.target for mention in mentions if isinstance(mention.target, PinnedQuery)]
    recurs = any(clause.args.get("recursive") for clause in tree.find_all(exp.With)) or any(one.recurs for one in views)
    by_position = _asks_by_position(tree) or any(one.by_position for one in views)
    asked = _never_shown(calls) if inside else calls
    own = [mention.target for mention in mentions if isinstance(mention.target, str)]
    tables = frozenset(sources[key].physical for key in own).union(*(one.tables for one in views))
    named = frozenset(replace(feed, table=_physical(feed.table, resolve)) for feed, _ in feeds_of(tree))
    feeds = named.union(*(one.feeds for one in views))
    _refuse_misread(feeds, tables, next((position_of(call, text) for _, call in feeds_of(tree)), None))
    return PinnedQuery(
        text, tuple(mentions), asked, respellings(text), recurs, by_position, _name_of(inside), feeds, tables
    )


def _physical(name: Name, resolve: Resolve) -> Name:
    """The table in the call of a feed, with its schema where the call names none."""
    relation = resolve(name) if len(name) == 1 else None
    return relation.name if relation is not None else name


def _refuse_misread(feeds: frozenset[FeedRead], tables: frozenset[Name], place: Optional[Position]) -> None:
    """Spark would answer such a query silently, with rows of another read."""
    name = confused_table(sorted(feeds, key=str), tables)
    if name is not None:
        raise InvalidView(
            f"the change feed of {dotted(name)} stands beside another read of it, and Spark takes one for the other",
            place,
            "Read the feed in a model of its own, once, or read the table AS OF a version.",
        )


def _asks_by_position(tree: exp.Query) -> bool:
    stars = any(not isinstance(star.parent, exp.Count) for star in tree.find_all(exp.Star))
    return stars or any(table.alias_column_names for table in tree.find_all(exp.Table))


def _pinned_view(
    view: View, place: Position, resolve: Resolve, sources: dict[str, Source], inside: tuple[Name, ...]
) -> PinnedQuery:
    """What is wrong with a view is told where the view is named."""
    try:
        return pin(view.definition, resolve, sources, (*inside, view.name))
    except InvalidView as wrong:
        raise type(wrong)(f"in the view {dotted(view.name)}: {wrong.message}", place, wrong.remedy) from wrong


def _name_of(inside: tuple[Name, ...]) -> str:
    return dotted(inside[-1]) if inside else ""


def _never_shown(calls: tuple[PlacedClockCall, ...]) -> tuple[PlacedClockCall, ...]:
    return tuple(replace(call, clock_call=replace(call.clock_call, shown=False)) for call in calls)


def _called_by(name: Name, qualified: tuple[Qualifier, ...]) -> tuple[Position, ...]:
    wanted = tuple(part.lower() for part in name[-2:])
    return tuple(one.position for one in qualified if one.table == wanted)


def _replacement(mention: Mention, read: ReadSource, answer: Optional[Answer]) -> tuple[str, bool]:
    """What stands for a mention, and whether that has an alias the user did not write."""
    if isinstance(mention.target, PinnedQuery):
        return _with_alias(f"({mention.target.at(read, answer)})", mention), bool(mention.shown_as)
    relation = read(mention.target)
    text = to_line(relation)
    if isinstance(relation, exp.Table) and relation.name.lower() == mention.shown_as:
        return text, False
    return _with_alias(text, mention), bool(mention.shown_as)


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
