"""Prints trees as SQL: the only `.sql(...)` in the engine. Equal trees print equal text."""

from __future__ import annotations

from collections.abc import Sequence

import sqlglot
from sqlglot import exp

from trickle.errors import Position
from trickle.sql.dialect import Full, Verbatim
from trickle.sql.stack_size import with_large_stack

SPARK = "spark"


@with_large_stack
def to_text(tree: exp.Expr, dialect: str = SPARK, pretty: bool = True) -> str:
    """A tree as SQL of one dialect, without the user's comments.

    For any dialect but Spark, the Spark text is parsed again with all of sqlglot's functions and translated.
    """
    if dialect == SPARK:
        return tree.sql(dialect=Verbatim, pretty=pretty, comments=False)
    return translate(sqlglot.parse_one(to_text(tree, pretty=False), dialect=Full), dialect, pretty)


@with_large_stack
def translate(tree: exp.Expr, dialect: str, pretty: bool = False) -> str:
    """A tree that was parsed by `Full`, as SQL of another dialect. The tree is consumed."""
    return tree.sql(dialect=dialect, pretty=pretty, comments=False, copy=False)


@with_large_stack
def to_line(tree: exp.Expr) -> str:
    """A tree as one line of Spark SQL: for messages, keys of equality and fingerprints."""
    return tree.sql(dialect=Verbatim, comments=False)


def function_name(node: exp.Expr) -> str:
    """The function's name in Spark, lower-cased; '' for any other node."""
    if isinstance(node, exp.Anonymous):
        return str(node.name).lower()
    if isinstance(node, exp.Exists) and isinstance(node.this, exp.Query):
        # Not by printing it: a nested EXISTS would be printed again for each EXISTS around it.
        return "exists"
    if isinstance(node, exp.Func):
        known_otherwise = (exp.Connector, exp.Case, exp.Cast, exp.If, exp.Coalesce)
        return type(node).__name__.lower() if isinstance(node, known_otherwise) else _printed_name(node)
    return ""


def _printed_name(node: exp.Func) -> str:
    return to_line(node).partition("(")[0].strip().lower()


def splice(text: str, replacements: Sequence[tuple[Position, str]]) -> str:
    """Replace spans of the user's own text, leaving every other byte as it was written.

    Used to pin the tables of a SELECT to versions without reprinting it.
    """
    pieces: list[str] = []
    done = 0
    for position, replacement in sorted(replacements, key=lambda item: item[0].start):
        pieces += [text[done : position.start], replacement]
        done = position.end + 1
    return "".join([*pieces, text[done:]])


def underline(text: str, position: Position) -> str:
    """The user's line with the text at a position underlined."""
    begin = text.rfind("\n", 0, position.start) + 1
    end = text.find("\n", position.start)
    line = text[begin : end if end >= 0 else len(text)]
    width = max(1, min(position.end + 1, begin + len(line)) - position.start)
    return "\n".join((line, " " * (position.start - begin) + "^" * width))
