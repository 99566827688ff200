"""What the parser lets pass, or trips over somewhere else, and Spark never reads: told where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

_AFTER_FROM = frozenset({TokenType.VAR, TokenType.IDENTIFIER, TokenType.L_PAREN})
JINJA = "This is Jinja: compile the model first, and give what lies in target/compiled."

_MARKER = ("this parameter has no value here", "Write the value itself, or let dbt do it: {{ var('…') }}.")


@dataclass(frozen=True)
class Stray:
    """A part of the text that cannot stand where it stands."""

    first: Token
    last: Token
    message: str
    remedy: str = ""


def stray(tokens: Sequence[Token]) -> Stray | None:
    """The first of them."""
    for place, token in enumerate(tokens):
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        match token.token_type:
            case TokenType.L_BRACE | TokenType.BLOCK_START if not _is_variable(tokens, place):
                return Stray(token, token, "the SQL cannot be read: nothing of Spark SQL begins with a brace", JINJA)
            case TokenType.PARAMETER if token.text == "@":
                message = "the SQL cannot be read: nothing of Spark SQL begins with @"
                return Stray(token, after or token, message, "For a version write VERSION AS OF.")
            case TokenType.PLACEHOLDER if token.text == "?":
                return Stray(token, token, *_MARKER)
            case TokenType.COMMA if _ends_a_list(tokens, place):
                return Stray(token, token, "the SQL cannot be read: nothing follows this comma", "Leave it out.")
    return None


def is_empty(select: exp.Select) -> bool:
    """SELECT FROM t shows nothing."""
    return not select.expressions and not select.args.get("operation_modifiers")


def has_no_value(tree: exp.Query) -> tuple[exp.Expr, str, str] | None:
    """A named parameter, `:x`, and what is around it."""
    for one in tree.find_all(exp.Placeholder):
        return one.parent or one, *_MARKER
    return None


def _is_variable(tokens: Sequence[Token], place: int) -> bool:
    """${name}, which Spark replaces before it reads anything."""
    return place > 0 and tokens[place - 1].text == "$"


def _ends_a_list(tokens: Sequence[Token], place: int) -> bool:
    following = [token.token_type for token in tokens[place + 1 : place + 3]]
    if not following or following[0] in (TokenType.R_PAREN, TokenType.SEMICOLON):
        return True
    return following[0] is TokenType.FROM and len(following) > 1 and following[1] in _AFTER_FROM
