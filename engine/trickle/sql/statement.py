"""Parses any single statement, not only a SELECT, so that the verifier can run Spark's statements elsewhere."""

from __future__ import annotations

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from trickle.errors import InvalidView
from trickle.sql.dialect import Full
from trickle.sql.stack_size import with_large_stack


@with_large_stack
def parse_statement(text: str) -> exp.Expr:
    """One statement of Spark SQL as a tree with no other owner."""
    try:
        trees = [tree for tree in sqlglot.parse(text, dialect=Full) if tree is not None]
    except SqlglotError as error:
        raise InvalidView(f"the statement cannot be read: {error}") from error
    if len(trees) != 1:
        raise InvalidView(f"expected one statement, found {len(trees)}")
    return trees[0]
