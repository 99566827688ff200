"""Spark's resolution of column names, stars and struct fields."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Optional

from sqlglot import exp

from trickle.errors import InvalidView, Position, Unsupported
from trickle.plan.schema import UNKNOWN
from trickle.reasons import reason
from trickle.sql.build import column
from trickle.types import (
    Array,
    Map,
    Opaque,
    Simple,
    Struct,
    Type,
    Unknown,
    element_of,
    fields_by_name,
    parse_type,
)


@dataclass(frozen=True)
class Visible:
    """A visible column of a SELECT: its name for users, and the plan's internal name."""

    qualifier: tuple[str, ...]
    name: str
    internal: str
    type: str = UNKNOWN
    starred: bool = True
    """Whether `*` includes it: the right-hand column of a USING pair is hidden."""

    def matches_name(self, qualifier: Sequence[str], name: str) -> bool:
        if name.lower() != self.name.lower() or len(qualifier) > len(self.qualifier):
            return False
        tail = self.qualifier[len(self.qualifier) - len(qualifier) :]
        return all(wanted.lower() == own.lower() for wanted, own in zip(qualifier, tail))


@dataclass(frozen=True)
class Scope:
    """The columns of a FROM clause, in order."""

    columns: tuple[Visible, ...]

    def __add__(self, other: Scope) -> Scope:
        return Scope(self.columns + other.columns)

    def resolve(self, parts: Sequence[str], position: Optional[Position]) -> exp.Expr | None:
        """The tree of a dotted name: a column, or a field of one. None when no column matches.

        The longest matching qualifier wins, as in Spark; the parts after the column's name are struct fields.
        """
        for length in range(len(parts) - 1, -1, -1):
            matches = [candidate for candidate in self.columns if candidate.matches_name(parts[:length], parts[length])]
            shown = [candidate for candidate in matches if candidate.starred] if length == 0 else matches
            chosen = shown or matches
            if len(chosen) > 1:
                raise InvalidView(
                    f"the name {'.'.join(parts)} is ambiguous: {_list(chosen)} all answer to it", position
                )
            if chosen:
                tree: exp.Expr = column(chosen[0].internal)
                kind = parse_type(chosen[0].type)
                if parts[length + 1 :] and not _may_have_fields(kind):
                    # Spark does not continue either, not even where an outer table has that name.
                    raise InvalidView(
                        f"{'.'.join(parts)} is read as a field of the column {_list(chosen)}, "
                        f"but that is {chosen[0].type.upper()}",
                        position,
                        "If a table is meant, give it an alias that no column has.",
                    )
                fields = fields_by_name(element_of(kind) if isinstance(kind, Array) else kind)
                first = parts[length + 1 : length + 2]
                if first and fields and first[0].lower() not in {candidate.lower() for candidate in fields}:
                    known = ", ".join(fields)
                    raise InvalidView(f"{_list(chosen)} has no field {first[0]}; it has {known}", position)
                for field in parts[length + 1 :]:
                    tree = exp.Dot(this=tree, expression=exp.to_identifier(field, quoted=True))
                return tree
        return None

    def star(self, qualifier: Sequence[str], position: Optional[Position]) -> list[Visible]:
        """The columns of `*` or `t.*`."""
        if not qualifier:
            return [visible for visible in self.columns if visible.starred]
        matches = [visible for visible in self.columns if visible.matches_name(qualifier, visible.name)]
        if not matches:
            # Spark also expands the fields of a struct column here, whose names only Spark knows.
            raise Unsupported([reason("unresolved_name", position, what=".".join(qualifier) + ".*")])
        return matches

    def renamed(self, qualifier: tuple[str, ...]) -> Scope:
        """The same columns under one alias, without hidden ones."""
        return Scope(tuple(replace(visible, qualifier=qualifier) for visible in self.columns if visible.starred))

    def hiding(self, internals: frozenset[str]) -> Scope:
        """The same columns with some hidden from `*`."""
        return Scope(
            tuple(
                replace(visible, starred=False) if visible.internal in internals else visible
                for visible in self.columns
            )
        )

    def types(self) -> dict[str, str]:
        """Internal name → type."""
        return {visible.internal: visible.type for visible in self.columns}

    def led_by(self, internals: tuple[str, ...]) -> Scope:
        """The same columns with these first, in the given order."""
        rank = {internal: index for index, internal in enumerate(internals)}
        return Scope(tuple(sorted(self.columns, key=lambda visible: rank.get(visible.internal, len(rank)))))

    def names(self) -> list[str]:
        return [visible.name for visible in self.columns if visible.starred]


def _may_have_fields(kind: Type) -> bool:
    return isinstance(kind, (Struct, Map, Array, Opaque, Unknown)) or kind is Simple.VARIANT


def unknown_column(parts: Sequence[str], scope: Scope, position: Optional[Position]) -> InvalidView:
    """The error for an unknown column, with the visible ones."""
    known = ", ".join(dict.fromkeys(scope.names()))
    return InvalidView(f"there is no column {'.'.join(parts)}", position, f"Visible here: {known[:300] or 'nothing'}.")


def _list(columns: Sequence[Visible]) -> str:
    return ", ".join(".".join((*visible.qualifier[-1:], visible.name)) for visible in columns)
