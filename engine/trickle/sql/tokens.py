"""Words of Spark SQL that the parser does not know where Spark does, put so that it does."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from sqlglot.tokenizer_core import Token, TokenType

_BEFORE_A_QUERY = frozenset(
    {
        TokenType.L_PAREN,
        TokenType.ALIAS,
        TokenType.UNION,
        TokenType.EXCEPT,
        TokenType.INTERSECT,
        TokenType.ALL,
        TokenType.DISTINCT,
    }
)
_DOUBLED = ("''", '""')
_NAMES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})


def readable(tokens: Sequence[Token], text: str) -> list[Token]:
    """GROUP BY window(…) calls a function, and TABLE t is SELECT * FROM t. Every token keeps its place in the text."""
    tokens = _with_doubled_quotes(tokens, text)
    found: list[Token] = []
    queries = set(table_words(tokens))
    for place, token in enumerate(tokens):
        after = tokens[place + 1].token_type if place + 1 < len(tokens) else None
        if token.token_type is TokenType.WINDOW and after is TokenType.L_PAREN:
            found.append(_as(token, TokenType.VAR, token.text))
        elif place in queries:
            found.append(_as(token, TokenType.SELECT, "SELECT"))
            found.append(_as(token, TokenType.STAR, "*"))
            found.append(_as(token, TokenType.FROM, "FROM"))
        else:
            found.append(token)
    return found


def _with_doubled_quotes(tokens: Sequence[Token], text: str) -> list[Token]:
    """'it''s' is one text with a quotation mark in it; with a blank between them, 'it' 's' are two that are joined."""
    found: list[Token] = []
    for token in tokens:
        last = found[-1] if found else None
        texts = last is not None and last.token_type is TokenType.STRING is token.token_type
        if last is not None and texts and text[last.end : token.start + 1] in _DOUBLED:
            whole = last.text + text[token.start] + token.text
            found[-1] = Token(TokenType.STRING, whole, last.line, last.col, last.start, token.end, last.comments)
        else:
            found.append(token)
    return found


def table_words(tokens: Sequence[Token]) -> list[int]:
    """The words TABLE that begin a query and are followed by a name."""
    return [
        place
        for place, (token, after) in enumerate(pairwise(tokens))
        if token.token_type is TokenType.TABLE
        and after.token_type in _NAMES
        and (place == 0 or tokens[place - 1].token_type in _BEFORE_A_QUERY)
    ]


def _as(token: Token, kind: TokenType, text: str) -> Token:
    return Token(kind, text, token.line, token.col, token.start, token.end, token.comments)
