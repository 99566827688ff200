"""The relations a query names: the tables in FROM, as written, without CTEs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from sqlglot import exp

from trickle.errors import Position
from trickle.sql.parse import position_of

Name = tuple[str, ...]


@dataclass(frozen=True)
class Reference:
    """A relation named in the text. `position` spans its (qualified) name only, without alias and version."""

    name: Name
    position: Optional[Position]
    aliased: bool


def name_of(table: exp.Table) -> Name:
    """The parts of a table's name, lower-cased: Spark's catalog ignores case, file systems do not."""
    return lowered(tuple(part.name for part in table.parts))


def lowered(name: Name) -> Name:
    """The name as Spark's catalog compares it; delta.`/data/Mix` names a folder."""
    *schema, last = name
    return (*(part.lower() for part in schema), last if is_path(name) else last.lower())


def is_path(name: Name) -> bool:
    """Whether the name is a format and a path: no table's name has a slash."""
    return len(name) == 2 and "/" in name[1]


def references(tree: exp.Query, text: str) -> tuple[Reference, ...]:
    """Every reference to a physical relation, in text order, except reads at a version, which never change."""
    mentions: list[Reference] = []
    for table in tree.find_all(exp.Table):
        if not isinstance(table.this, exp.Identifier) or table.args.get("version") or is_cte(table):
            continue
        spans = [position for part in table.parts if (position := position_of(part, text))]
        position = None
        if spans:
            first, last = min(spans, key=lambda item: item.start), max(spans, key=lambda item: item.end)
            position = Position(first.line, first.column, first.start, last.end)
        mentions.append(Reference(name_of(table), position, bool(table.alias)))
    return tuple(sorted(mentions, key=lambda item: item.position.start if item.position else -1))


def is_cte(table: exp.Table) -> bool:
    """Whether the name is that of a visible CTE: an earlier CTE of the same WITH, or any CTE of an enclosing query."""
    if table.args.get("db"):
        return False
    wanted = table.name.lower()
    node: Optional[exp.Expr] = table
    inside: Optional[exp.Expr] = None
    while node is not None:
        if isinstance(node, exp.CTE):
            inside = node
        clause = node.args.get("with_")
        if clause is not None and any(cte.alias.lower() == wanted for cte in _visible(clause, inside)):
            return True
        node = node.parent
    return False


def _visible(clause: exp.With, inside: Optional[exp.Expr]) -> list[exp.CTE]:
    """The CTEs of a WITH that are visible inside one of them: those before it, and itself when recursive."""
    every: list[exp.CTE] = clause.expressions
    for index, cte in enumerate(every):
        if cte is inside:
            return every[: index + 1] if clause.args.get("recursive") else every[:index]
    return every
