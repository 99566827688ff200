"""Corrects tokens where sqlglot's parser does not accept a word that Spark accepts."""

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
    """The tokens with window(…) as a function call and TABLE t as SELECT * FROM t. Each keeps its position."""
    tokens = _with_doubled_quotes(tokens, text)
    corrected: list[Token] = []
    queries = set(table_words(tokens))
    for index, token in enumerate(tokens):
        after = tokens[index + 1].token_type if index + 1 < len(tokens) else None
        if token.token_type is TokenType.WINDOW and after is TokenType.L_PAREN:
            corrected.append(_as(token, TokenType.VAR, token.text))
        elif index in queries:
            corrected.append(_as(token, TokenType.SELECT, "SELECT"))
            corrected.append(_as(token, TokenType.STAR, "*"))
            corrected.append(_as(token, TokenType.FROM, "FROM"))
        else:
            corrected.append(token)
    return corrected


def _with_doubled_quotes(tokens: Sequence[Token], text: str) -> list[Token]:
    """'it''s' is one literal with a quotation mark in it; with a blank between, 'it' 's' are two that Spark joins."""
    corrected: list[Token] = []
    for token in tokens:
        last = corrected[-1] if corrected else None
        texts = last is not None and last.token_type is TokenType.STRING is token.token_type
        if last is not None and texts and text[last.end : token.start + 1] in _DOUBLED:
            whole = last.text + text[token.start] + token.text
            corrected[-1] = Token(TokenType.STRING, whole, last.line, last.col, last.start, token.end, last.comments)
        else:
            corrected.append(token)
    return corrected


def table_words(tokens: Sequence[Token]) -> list[int]:
    """The indexes of the words TABLE that begin a query and are followed by a name."""
    return [
        index
        for index, (token, after) in enumerate(pairwise(tokens))
        if token.token_type is TokenType.TABLE
        and after.token_type in _NAMES
        and (index == 0 or tokens[index - 1].token_type in _BEFORE_A_QUERY)
    ]


def _as(token: Token, kind: TokenType, text: str) -> Token:
    return Token(kind, text, token.line, token.col, token.start, token.end, token.comments)
