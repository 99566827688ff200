"""What a query's compilation depends on beside its text, and what of it is still to be found out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Optional

from trickle.catalog.routines import Routine
from trickle.catalog.tables import Name, Relation
from trickle.plan.schema import Schema

Relations = Mapping[Name, Optional[Relation]]
"""Names as queries write them, lower-cased. None: nothing bears the name."""
Functions = Mapping[Name, Optional[Routine]]
"""Names of functions as queries call them. None: one of Spark's own, or none at all."""


@dataclass(frozen=True)
class Facts:
    """Plain values. The engine asks no catalog; whoever has one adds its answers."""

    relations: Relations = field(default_factory=dict)
    routines: Functions = field(default_factory=dict)
    types: Optional[Mapping[str, tuple[str, ...]]] = None
    """Query → the types of its columns, as Spark has them. None: there is no Spark to be asked."""
    output: Optional[Schema] = None
    """The columns of the whole query, as Spark has them."""

    def plus(
        self,
        relations: Optional[Relations] = None,
        routines: Optional[Functions] = None,
        types: Optional[Mapping[str, tuple[str, ...]]] = None,
    ) -> Facts:
        """These facts and more. What is given replaces what was known of the same name."""
        known = self.types if types is None else {**(self.types or {}), **types}
        return replace(
            self,
            relations={**self.relations, **(relations or {})},
            routines={**self.routines, **(routines or {})},
            types=known,
        )


@dataclass(frozen=True)
class Questions:
    """What must be added to the facts before the work can be done."""

    relations: tuple[Name, ...] = ()
    routines: tuple[Name, ...] = ()
    types: tuple[str, ...] = ()
    """Queries whose columns' types are wanted."""

    def __bool__(self) -> bool:
        return bool(self.relations or self.routines or self.types)
