"""Tells dbt that stream tables enforce constraints: it warns for every materialization except its own two."""

from __future__ import annotations

from typing import Any

from dbt.adapters.trickle.project.nodes import STREAM_TABLE

PROPERTY = "materialization_enforces_constraints"


def teach() -> None:
    """Extend dbt's property to stream tables; a dbt version without the property is not changed."""
    from dbt.contracts.graph.nodes import ModelNode

    original = getattr(ModelNode, PROPERTY, None)
    if not isinstance(original, property) or original.fget is None or original.fget.__module__ == __name__:
        return
    original_getter = original.fget

    def enforces(model: Any) -> bool:
        """Whether the model's materialization enforces the constraints of its contract."""
        return model.config.materialized == STREAM_TABLE or bool(original_getter(model))

    setattr(ModelNode, PROPERTY, property(enforces))
