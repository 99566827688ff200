"""The names of arrangements: stream tables that keep a grouping inside a model, and belong to that model."""

from __future__ import annotations

from dbt.adapters.trickle.names import PART
from trickle import Name, Stamp


def is_part_of(relation: Name, model: Name) -> bool:
    """Whether a relation is, by its name, an arrangement of a model."""
    return relation[0] == model[0] and relation[-1].startswith(f"{model[-1]}{PART}")


def arrangements_in(stamp: Stamp | None, model: Name) -> list[Name]:
    """The arrangements that a refresh of a model has read."""
    read = () if stamp is None else (tuple(source.split(".", 1)) for source in stamp.frontier.sources)
    return [name for name in read if is_part_of(name, model)]
