"""Finding the mentions of tables in a text, and in the views it reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Union

from sqlglot import exp

from trickle.catalog.facts import Facts, Questions, Relations
from trickle.catalog.frontier import dotted
from trickle.catalog.tables import Name, Source, StreamTable, Table, View
from trickle.errors import InternalError, InvalidView, Position
from trickle.lower.select.clock import PlacedClockCall, clock_calls_in_text
from trickle.lower.sources.pinned import Mention, PinnedQuery
from trickle.sql.feeds import confused_table, feeds_of
from trickle.sql.parse import parse_select, position_of, respellings
from trickle.sql.qualifiers import Qualifier, qualifiers
from trickle.sql.references import references
from trickle.sql.text import to_line


def unknown_relations(text: str, known: Relations) -> tuple[Name, ...]:
    """The names in a text, and in the views among them, of which nothing is known yet."""
    named = (name for part in texts(text, known) for name in _names(part))
    return tuple(dict.fromkeys(name for name in named if name not in known))


def texts(text: str, known: Relations, inside: tuple[Name, ...] = ()) -> Iterator[str]:
    """The text and the definitions of the views it reads, as far as they are known and can be parsed."""
    yield text
    for relation in (known.get(name) for name in _names(text)):
        if isinstance(relation, View) and relation.name not in inside and _can_be_parsed(relation.definition):
            yield from texts(relation.definition, known, (*inside, relation.name))


def _can_be_parsed(text: str) -> bool:
    try:
        parse_select(text)
    except InvalidView:
        return False
    return True


def _names(text: str) -> Iterator[Name]:
    tree = parse_select(text)
    yield from (reference.name for reference in references(tree, text))
    yield from (feed.table for feed, _ in feeds_of(tree) if len(feed.table) == 1)


def pin(text: str, facts: Facts) -> Union[PinnedQuery, Questions]:
    """The text with every mention of a table found, in the views it reads too."""
    unknown = unknown_relations(text, facts.relations)
    return Questions(relations=unknown) if unknown else pinned(text, facts.relations)


def pinned(text: str, relations: Relations, inside: tuple[Name, ...] = ()) -> PinnedQuery:
    """The same where every relation is known."""
    mentions: list[Mention] = []
    sources: dict[str, Source] = {}
    tree = parse_select(text)
    qualified = qualifiers(tree, text)
    for reference in references(tree, text):
        relation = relations[reference.name]
        if reference.position is None:
            raise InternalError(f"no position is known for {dotted(reference.name)}")
        shown_as = "" if reference.aliased else reference.name[-1]
        target: Union[str, PinnedQuery]
        match relation:
            case None:
                raise InvalidView(f"there is no table or view {dotted(reference.name)}", reference.position)
            case View():
                if relation.name in inside:
                    raise InvalidView(f"the view {dotted(relation.name)} reads itself", reference.position)
                target = _pinned_view(relation, reference.position, relations, inside)
                for source in target.sources:
                    sources.setdefault(source.name, source)
            case Table() | StreamTable():
                target = dotted(relation.name)
                sources.setdefault(target, _source(target, relation))
        mentions.append(Mention(reference.position, shown_as, target, _called_by(relation.name, qualified)))
    calls = clock_calls_in_text(tree, text)
    views = [mention.target for mention in mentions if isinstance(mention.target, PinnedQuery)]
    named = frozenset(replace(feed, table=_physical(feed.table, relations)) for feed, _ in feeds_of(tree))
    query = PinnedQuery(
        text,
        tuple(mentions),
        _never_shown(calls) if inside else calls,
        respellings(text),
        recurs=_is_recursive(tree) or any(view.recurs for view in views),
        by_position=_asks_by_position(tree) or any(view.by_position for view in views),
        view=_name_of(inside),
        feeds=named.union(*(view.feeds for view in views)),
        sources=tuple(sources.values()),
    )
    _refuse_misread(query, tree)
    return query


def _source(key: str, relation: Union[Table, StreamTable]) -> Source:
    return Source(key, relation.storage if isinstance(relation, StreamTable) else relation.name, relation)


def _is_recursive(tree: exp.Query) -> bool:
    return any(clause.args.get("recursive") for clause in tree.find_all(exp.With))


def _physical(name: Name, relations: Relations) -> Name:
    """The table in the call of a feed, with its schema where the call names none."""
    relation = relations[name] if len(name) == 1 else None
    return relation.name if relation is not None else name


def _refuse_misread(query: PinnedQuery, tree: exp.Query) -> None:
    """Spark would answer such a query silently, with rows of another read."""
    tables = [source.physical for source in query.sources]
    name = confused_table(sorted(query.feeds, key=str), tables)
    if name is not None:
        raise InvalidView(
            f"the change feed of {dotted(name)} stands beside another read of it, and Spark takes one for the other",
            next((position_of(call, query.text) for _, call in feeds_of(tree)), None),
            "Read the feed in a model of its own, once, or read the table AS OF a version.",
        )


def _asks_by_position(tree: exp.Query) -> bool:
    stars = any(not isinstance(star.parent, exp.Count) for star in tree.find_all(exp.Star))
    return stars or any(table.alias_column_names for table in tree.find_all(exp.Table))


def _pinned_view(view: View, position: Position, relations: Relations, inside: tuple[Name, ...]) -> PinnedQuery:
    """The view's query. An error in it is reported where the view is named."""
    try:
        return pinned(view.definition, relations, (*inside, view.name))
    except InvalidView as wrong:
        raise type(wrong)(f"in the view {dotted(view.name)}: {wrong.message}", position, wrong.remedy) from wrong


def _name_of(inside: tuple[Name, ...]) -> str:
    return dotted(inside[-1]) if inside else ""


def _never_shown(calls: tuple[PlacedClockCall, ...]) -> tuple[PlacedClockCall, ...]:
    return tuple(replace(call, clock_call=replace(call.clock_call, shown=False)) for call in calls)


def _called_by(name: Name, qualified: tuple[Qualifier, ...]) -> tuple[Position, ...]:
    wanted = tuple(part.lower() for part in name[-2:])
    return tuple(qualifier.position for qualifier in qualified if qualifier.table == wanted)


def same_query(text: str, other: str) -> bool:
    """Whether two texts differ in formatting and comments only. A text that cannot be read is like no other."""
    if text == other:
        return True
    try:
        return to_line(parse_select(text)) == to_line(parse_select(other))
    except InvalidView:
        return False


def referenced(text: str) -> tuple[Name, ...]:
    """The relations a query names, each once, in the order of the text; CTE names are not among them."""
    return tuple(dict.fromkeys(reference.name for reference in references(parse_select(text), text)))
