"""Text that Spark cannot read and that sqlglot accepts, or rejects at another position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

_AFTER_FROM = frozenset({TokenType.VAR, TokenType.IDENTIFIER, TokenType.L_PAREN})
JINJA = "This is Jinja: compile the model first, and give what lies in target/compiled."

_MARKER = ("this parameter has no value here", "Write the value itself, or let dbt do it: {{ var('…') }}.")


@dataclass(frozen=True)
class UnreadableText:
    """A part of the text that Spark cannot read, from its first to its last token."""

    first: Token
    last: Token
    message: str
    remedy: str = ""


def find_unreadable_text(tokens: Sequence[Token]) -> UnreadableText | None:
    """The first unreadable part of a text."""
    for index, token in enumerate(tokens):
        after = tokens[index + 1] if index + 1 < len(tokens) else None
        match token.token_type:
            case TokenType.L_BRACE | TokenType.BLOCK_START if not _is_variable(tokens, index):
                return UnreadableText(
                    token, token, "the SQL cannot be read: nothing of Spark SQL begins with a brace", JINJA
                )
            case TokenType.PARAMETER if token.text == "@":
                message = "the SQL cannot be read: nothing of Spark SQL begins with @"
                return UnreadableText(token, after or token, message, "For a version write VERSION AS OF.")
            case TokenType.PLACEHOLDER if token.text == "?":
                return UnreadableText(token, token, *_MARKER)
            case TokenType.COMMA if _ends_a_list(tokens, index):
                return UnreadableText(
                    token, token, "the SQL cannot be read: nothing follows this comma", "Leave it out."
                )
    return None


def has_no_columns(select: exp.Select) -> bool:
    """Whether it is SELECT FROM t."""
    return not select.expressions and not select.args.get("operation_modifiers")


def find_unbound_parameter(tree: exp.Query) -> tuple[exp.Expr, str, str] | None:
    """The node around the first named parameter, `:x`, with message and remedy."""
    for parameter in tree.find_all(exp.Placeholder):
        return parameter.parent or parameter, *_MARKER
    return None


def _is_variable(tokens: Sequence[Token], index: int) -> bool:
    """${name}, which Spark replaces before it parses."""
    return index > 0 and tokens[index - 1].text == "$"


def _ends_a_list(tokens: Sequence[Token], index: int) -> bool:
    following = [token.token_type for token in tokens[index + 1 : index + 3]]
    if not following or following[0] in (TokenType.R_PAREN, TokenType.SEMICOLON):
        return True
    return following[0] is TokenType.FROM and len(following) > 1 and following[1] in _AFTER_FROM
