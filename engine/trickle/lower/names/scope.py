"""What a name means where it stands: Spark's resolution of columns, stars and struct fields."""

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
    """One column a SELECT can see: how users call it, and what the plan calls it."""

    qualifier: tuple[str, ...]
    name: str
    internal: str
    type: str = UNKNOWN
    starred: bool = True
    """Whether `*` shows it: the right-hand twin of a USING column is hidden."""

    def answers_to(self, qualifier: Sequence[str], name: str) -> bool:
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

    def resolve(self, parts: Sequence[str], place: Optional[Position]) -> exp.Expr | None:
        """The tree a dotted name stands for: a column, or a field of one. None when nothing answers.

        The longest qualifier that fits wins, as in Spark; what follows the column's name are struct fields.
        """
        for length in range(len(parts) - 1, -1, -1):
            found = [one for one in self.columns if one.answers_to(parts[:length], parts[length])]
            shown = [one for one in found if one.starred] if length == 0 else found
            chosen = shown or found
            if len(chosen) > 1:
                raise InvalidView(f"the name {'.'.join(parts)} is ambiguous: {_list(chosen)} all answer to it", place)
            if chosen:
                tree: exp.Expr = column(chosen[0].internal)
                kind = parse_type(chosen[0].type)
                if parts[length + 1 :] and not _may_have_fields(kind):
                    # Spark looks no further either, not even where an outer table is called so.
                    raise InvalidView(
                        f"{'.'.join(parts)} is read as a field of the column {_list(chosen)}, "
                        f"but that is {chosen[0].type.upper()}",
                        place,
                        "If a table is meant, give it an alias that no column has.",
                    )
                fields = fields_by_name(element_of(kind) if isinstance(kind, Array) else kind)
                first = parts[length + 1 : length + 2]
                if first and fields and first[0].lower() not in {one.lower() for one in fields}:
                    known = ", ".join(fields)
                    raise InvalidView(f"{_list(chosen)} has no field {first[0]}; it has {known}", place)
                for field in parts[length + 1 :]:
                    tree = exp.Dot(this=tree, expression=exp.to_identifier(field, quoted=True))
                return tree
        return None

    def star(self, qualifier: Sequence[str], place: Optional[Position]) -> list[Visible]:
        """The columns `*` or `t.*` stands for."""
        if not qualifier:
            return [one for one in self.columns if one.starred]
        found = [one for one in self.columns if one.answers_to(qualifier, one.name)]
        if not found:
            # Spark also expands the fields of a struct column here, whose names only Spark knows.
            raise Unsupported([reason("unresolved_name", place, what=".".join(qualifier) + ".*")])
        return found

    def renamed(self, qualifier: tuple[str, ...]) -> Scope:
        """The same columns under one alias; hidden ones are gone."""
        return Scope(tuple(replace(one, qualifier=qualifier) for one in self.columns if one.starred))

    def hiding(self, internals: frozenset[str]) -> Scope:
        """The same columns with some no longer shown by `*`."""
        return Scope(tuple(replace(one, starred=False) if one.internal in internals else one for one in self.columns))

    def types(self) -> dict[str, str]:
        """Plan's name → type."""
        return {one.internal: one.type for one in self.columns}

    def led_by(self, internals: tuple[str, ...]) -> Scope:
        """The same columns with some of them first, in the order given."""
        rank = {internal: place for place, internal in enumerate(internals)}
        return Scope(tuple(sorted(self.columns, key=lambda one: rank.get(one.internal, len(rank)))))

    def names(self) -> list[str]:
        return [one.name for one in self.columns if one.starred]


def _may_have_fields(kind: Type) -> bool:
    return isinstance(kind, (Struct, Map, Array, Opaque, Unknown)) or kind is Simple.VARIANT


def unknown_column(parts: Sequence[str], scope: Scope, place: Optional[Position]) -> InvalidView:
    """The error for a name nothing answers to, with what there is."""
    known = ", ".join(dict.fromkeys(scope.names()))
    return InvalidView(f"there is no column {'.'.join(parts)}", place, f"Visible here: {known[:300] or 'nothing'}.")


def _list(columns: Sequence[Visible]) -> str:
    return ", ".join(".".join((*one.qualifier[-1:], one.name)) for one in columns)
