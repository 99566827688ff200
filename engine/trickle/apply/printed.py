"""A statement or query of ours as text."""

from __future__ import annotations

from sqlglot import exp

from trickle.catalog.frontier import dotted
from trickle.errors import InternalError
from trickle.sql.feeds import misread_table
from trickle.sql.text import to_text


def printed(tree: exp.Expr) -> str:
    """The one place that makes a text of a tree, so that none leaves in which Spark would misread a table."""
    name = misread_table(tree)
    if name is not None:
        raise InternalError(
            f"a statement reads the change feed of {dotted(name)} beside another read of it, which Spark mixes up"
        )
    return to_text(tree)
