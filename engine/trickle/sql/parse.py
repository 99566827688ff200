"""Parsing the user's text: one SELECT, with the position of every part. Owns the only calls into sqlglot's parser."""

from __future__ import annotations

import logging
import re
from functools import lru_cache
from itertools import pairwise
from typing import Optional

import sqlglot
from sqlglot import exp
from sqlglot.errors import ParseError, SqlglotError
from sqlglot.tokenizer_core import TokenType

from trickle.errors import InvalidView, Position, Unreadable
from trickle.functions import facts_of
from trickle.sql.dialect import Verbatim
from trickle.sql.identifiers import with_identifiers
from trickle.sql.routines import with_routines
from trickle.sql.stack_size import with_large_stack
from trickle.sql.tokens import table_words
from trickle.sql.unreadable_text import find_unbound_parameter, find_unreadable_text, has_no_columns

# sqlglot warns about clauses that other dialects print differently; we report what we cannot maintain ourselves.
logging.getLogger("sqlglot").setLevel(logging.ERROR)


PARSED_TEXTS = 256
"""How many texts stay parsed: those of a few models, with the views that they read."""


@lru_cache(PARSED_TEXTS)
def parse_select(text: str) -> exp.Query:
    """The text as one query, or InvalidView with the position of what is wrong.

    Each text is parsed once and its tree is shared: copy it before changing it.
    """
    return _parse(text)


@with_large_stack
def _parse(text: str) -> exp.Query:
    try:
        unreadable = find_unreadable_text(sqlglot.tokenize(text, dialect=Verbatim))
        if unreadable is not None:
            raise InvalidView(
                unreadable.message, span(text, unreadable.first.start, unreadable.last.end), unreadable.remedy
            )
        parsed = sqlglot.parse(text, dialect=Verbatim)
    except ParseError as error:
        raise _refusal(text, error) from error
    except SqlglotError as error:
        raise _unclosed_text(text, error) from error
    # sqlglot returns a comment after the last semicolon as a statement.
    trees = [tree for tree in parsed if tree is not None and not isinstance(tree, exp.Semicolon)]
    if not trees:
        raise InvalidView("the model holds no SELECT", remedy="Write one, or disable the model: config(enabled=false).")
    if len(trees) > 1:
        raise InvalidView(
            f"the model must be one SELECT, not {len(trees)} statements",
            _second_statement(text),
            "Make each a model of its own; what is not a SELECT may be a pre_hook or post_hook.",
        )
    tree = trees[0]
    for inner in list(tree.find_all(exp.Subquery)):
        _move_limit_inside(inner)
    while isinstance(tree, (exp.Subquery, exp.Paren)) and isinstance(tree.this, exp.Query):
        clause = tree.args.get("with_")
        tree = tree.this
        if clause is not None:
            tree.set("with_", clause)
    if isinstance(tree, exp.Values):
        tree = exp.Select(expressions=[exp.Star()]).from_(tree, copy=False)
    if not isinstance(tree, (exp.Select, exp.SetOperation)):
        raise InvalidView(
            f"the model must be a SELECT, not {_statement(text)}",
            _first_word(text),
            "Statements may be a pre_hook, a post_hook or an operation.",
        )
    _refuse_unreadable(tree, text)
    normalized = _with_aggregate_any(_with_units(_with_order_by_all(with_routines(tree))))
    return with_identifiers(normalized, lambda node: position_of(node, text))


@lru_cache(PARSED_TEXTS)
def parse_expression(text: str) -> exp.Expr:
    """The text as one expression, within a SELECT of its own. The tree is shared: copy it before changing it."""
    try:
        tree = sqlglot.parse_one(text, dialect=Verbatim)
    except SqlglotError as error:
        raise InvalidView(f"the expression cannot be read: {error}") from error
    read: exp.Expr = with_routines(exp.Select(expressions=[tree])).expressions[0]
    return read


def _move_limit_inside(tree: exp.Subquery) -> None:
    """(SELECT …) LIMIT 2 → (SELECT * FROM (SELECT …) LIMIT 2)"""
    limits = {name: tree.args[name] for name in ("order", "limit", "offset") if tree.args.get(name)}
    if not limits or not isinstance(tree.this, exp.Query):
        return
    outer = exp.Select(expressions=[exp.Star()]).from_(exp.Subquery(this=tree.this), copy=False)
    for name, clause in limits.items():
        outer.set(name, clause)
        tree.set(name, None)
    tree.set("this", outer)


def _refuse_unreadable(tree: exp.Query, text: str) -> None:
    for select in tree.find_all(exp.Select):
        if has_no_columns(select):
            raise InvalidView("SELECT is followed by no columns", position_of(select, text), "Write *, or some names.")
    if (parameter := find_unbound_parameter(tree)) is not None:
        around, message, remedy = parameter
        raise InvalidView(message, position_of(around, text), remedy)


def _first_word(text: str) -> Position:
    first = sqlglot.tokenize(text, dialect=Verbatim)[0]
    return span(text, first.start, first.end)


def _statement(text: str) -> str:
    """The statement's keyword: INSERT for WITH … INSERT and FROM … INSERT."""
    first = _first_word(text)
    word = text[first.start : first.end + 1].upper()
    return "INSERT" if word in ("WITH", "FROM") else word


def _second_statement(text: str) -> Optional[Position]:
    tokens = list(sqlglot.tokenize(text, dialect=Verbatim))
    for token, after in pairwise(tokens):
        if token.token_type is TokenType.SEMICOLON and after.token_type is not TokenType.SEMICOLON:
            return span(text, after.start, after.end)
    return None


def _with_aggregate_any(tree: exp.Query) -> exp.Query:
    """ANY(x) is an aggregate like SOME(x), unless it is a quantifier over a query or over patterns."""
    for quantifier in list(tree.find_all(exp.Any)):
        if isinstance(quantifier.parent, (exp.Like, exp.ILike)):
            continue
        value = quantifier.this.unnest() if isinstance(quantifier.this, exp.Paren) else quantifier.this
        if not isinstance(value, exp.Query):
            named = exp.Anonymous(this="ANY", expressions=[value])
            named.meta.update(quantifier.meta)
            quantifier.replace(named)
    return tree


def _with_order_by_all(tree: exp.Query) -> exp.Query:
    """ORDER BY ALL: the parser takes ALL for a keyword, and it may be a column."""
    for item in tree.find_all(exp.Ordered):
        if isinstance(item.this, exp.Var):
            item.set("this", exp.Column(this=exp.to_identifier(item.this.name)))
    return tree


def _with_units(tree: exp.Query) -> exp.Query:
    """DATEADD(DAY, …): the unit is a keyword, not a column."""
    for call in tree.find_all(exp.Anonymous):
        if facts_of(str(call.this).lower()).unit_first and len(call.expressions) == 3:
            unit = call.expressions[0]
            if isinstance(unit, exp.Column) and not unit.table:
                unit.replace(exp.Var(this=unit.name.upper()))
    return tree


def respellings(text: str) -> tuple[tuple[Position, str], ...]:
    """The replacements that make a text valid in parentheses and with tables at versions.

    TABLE t takes no version and becomes SELECT * FROM t; a semicolon at the end is left out.
    """
    tokens = list(sqlglot.tokenize(text, dialect=Verbatim))
    tables = [(tokens[index], "SELECT * FROM") for index in table_words(tokens)]
    ends = [(token, "") for token in tokens if token.token_type is TokenType.SEMICOLON]
    return tuple((span(text, token.start, token.end), words) for token, words in (*tables, *ends))


def position_of(tree: exp.Expr, text: str) -> Optional[Position]:
    """The position of a tree in the user's text: the span of all its nodes that have one."""
    starts: list[int] = []
    ends: list[int] = []
    for node in tree.walk():
        # Not through `meta`, which would give every node a dictionary that is copied with it.
        start = node.meta_get("start")
        if start is not None:
            starts.append(int(start))
            ends.append(int(node.meta_get("end")))
    if not starts:
        return None
    return span(text, min(starts), max(ends))


def span(text: str, start: int, end: int) -> Position:
    """A span of offsets (end inclusive) as a position."""
    line = text.count("\n", 0, start) + 1
    column = start - (text.rfind("\n", 0, start) + 1) + 1
    return Position(line, column, start, end)


_WORDS = (
    (r"Required keyword: '\w+' missing for", "something is missing here"),
    (r"Invalid expression / Unexpected token", "this is not expected here"),
    (r"Expected table name", "the name of a table is missing here"),
    (r"Failed to parse any statement following CTE", "nothing follows WITH"),
    (r"The number of provided arguments", "this call has more arguments than the function takes"),
    (r"Unsupported pipe syntax operator", "this step of a pipe is not known"),
    (r"Expect(?:ing|ed) (?P<what>[^ ]+)$", "{what} is missing here"),
)
"""Pattern of sqlglot's message → the message shown to users."""
_QUOTES = "'\"`"


def _refusal(text: str, error: ParseError) -> Unreadable:
    first = error.errors[0] if error.errors else {}
    words = _message_for(str(first.get("description") or error).split(". Line")[0])
    highlight = str(first.get("highlight") or "")
    line, column = first.get("line"), first.get("col")
    if not isinstance(line, int) or not isinstance(column, int):
        return Unreadable(f"the SQL cannot be read: {words}")
    start = sum(len(part) + 1 for part in text.split("\n")[: line - 1]) + column - 1
    first_character = max(start - max(len(highlight) - 1, 0), 0)
    near = f", near {highlight!r}" if highlight.strip() else ""
    return Unreadable(f"the SQL cannot be read: {words}{near}", span(text, first_character, start))


def _message_for(parser_message: str) -> str:
    for pattern, message in _WORDS:
        if (match := re.match(pattern, parser_message)) is not None:
            return message.format(**match.groupdict())
    return parser_message


def _unclosed_text(text: str, error: SqlglotError) -> InvalidView:
    """The error for a text that ends inside a quotation or a comment, at its first character."""
    begins = _open_quote_position(text)
    if begins is None:
        return InvalidView(f"the SQL cannot be read: {error}")
    kind = "comment" if text[begins] == "/" else "quotation"
    return InvalidView(f"the SQL cannot be read: a {kind} begins here and has no end", span(text, begins, begins))


def _open_quote_position(text: str) -> Optional[int]:
    """The offset of the quotation or comment that is still open at the end of the text."""
    position = 0
    while position < len(text):
        if text.startswith("--", position):
            end = text.find("\n", position)
        elif text.startswith("/*", position):
            end = text.find("*/", position + 2)
        elif text[position] in _QUOTES:
            end = _closing(text, position)
        else:
            position += 1
            continue
        if end < 0:
            return None if text.startswith("--", position) else position
        position = end + 1
    return None


def _closing(text: str, position: int) -> int:
    """The offset of the quotation mark that closes the one at `position`; a backslash escapes the next character."""
    quote = text[position]
    end = position + 1
    while end < len(text) and text[end] != quote:
        end += 2 if text[end] == "\\" and quote != "`" else 1
    return end if end < len(text) else -1
