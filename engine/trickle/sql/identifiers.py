"""IDENTIFIER('schema.t'): a name written as a text. It is replaced by the table or column it names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Optional

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from trickle.errors import InvalidView, Position
from trickle.sql.dialect import Verbatim
from trickle.sql.routines import CALL


def with_identifiers(tree: exp.Query, position_of: Callable[[exp.Expr], Optional[Position]]) -> exp.Query:
    """The tree with every IDENTIFIER('…') replaced by the table or column it names."""
    for call in list(tree.find_all(exp.Anonymous)):
        if str(call.this).upper() != "IDENTIFIER" or len(call.expressions) != 1:
            continue
        parts = _parts(call)
        if isinstance(call.parent, exp.Table):
            if not 1 <= len(parts) <= 3:
                # Without the table's name its changes would not be detected.
                raise InvalidView(
                    "which table this names is not known before the query runs",
                    position_of(call),
                    "Name the table, or write its whole name as one text: IDENTIFIER('schema.name').",
                )
            for key, part in zip(("this", "db", "catalog"), reversed(parts)):
                call.parent.set(key, part)
        elif 1 <= len(parts) <= 2:
            names = dict(zip(("this", "table"), reversed(parts)))
            call.replace(exp.Column(**names))
    return tree


def _parts(call: exp.Anonymous) -> Sequence[exp.Identifier]:
    """The parts of the name, each with the position of the whole call; () where the argument is not a literal."""
    (value,) = call.expressions
    if not isinstance(value, exp.Literal) or not value.is_string:
        return ()
    try:
        column = sqlglot.parse_one(str(value.this), dialect=Verbatim)
    except SqlglotError:
        return ()
    if not isinstance(column, exp.Column):
        return ()
    start, end = call.meta[CALL]
    parts = [exp.to_identifier(part.name, quoted=True) for part in column.parts]
    for part in parts:
        part.meta.update(start=start, end=end)
    return parts
