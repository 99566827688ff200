"""Which relations a query names: the tables behind FROM, as written, with CTE names left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from sqlglot import exp

from trickle.errors import Position
from trickle.sql.parse import position_of

Name = tuple[str, ...]


@dataclass(frozen=True)
class Reference:
    """One mention of a relation. `position` spans its (qualified) name only, alias and version excluded."""

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
    """Whether it is a format and a path: no table's name has a slash."""
    return len(name) == 2 and "/" in name[1]


def references(tree: exp.Query, text: str) -> tuple[Reference, ...]:
    """Every mention of a physical relation, in the order of the text; what names a version itself never changes."""
    found: list[Reference] = []
    for table in tree.find_all(exp.Table):
        if not isinstance(table.this, exp.Identifier) or table.args.get("version") or is_cte(table):
            continue
        spans = [place for part in table.parts if (place := position_of(part, text))]
        place = None
        if spans:
            first, last = min(spans, key=lambda item: item.start), max(spans, key=lambda item: item.end)
            place = Position(first.line, first.column, first.start, last.end)
        found.append(Reference(name_of(table), place, bool(table.alias)))
    return tuple(sorted(found, key=lambda item: item.position.start if item.position else -1))


def is_cte(table: exp.Table) -> bool:
    """Whether the name is that of a CTE visible where it stands: an earlier one, or any of an enclosing query."""
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
    """The CTEs a place can see: those before the one it is inside of, itself too when recursive."""
    every: list[exp.CTE] = clause.expressions
    for place, cte in enumerate(every):
        if cte is inside:
            return every[: place + 1] if clause.args.get("recursive") else every[:place]
    return every
