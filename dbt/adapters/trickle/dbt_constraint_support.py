"""dbt warns that constraints are ignored by every materialization but its own two. A stream table enforces them."""

from __future__ import annotations

from typing import Any

from dbt.adapters.trickle.project.nodes import STREAM_TABLE

ASKED = "materialization_enforces_constraints"


def teach() -> None:
    """Answer dbt's question for stream tables as well; a dbt that does not ask it is left as it is."""
    from dbt.contracts.graph.nodes import ModelNode

    answered = getattr(ModelNode, ASKED, None)
    if not isinstance(answered, property) or answered.fget is None or answered.fget.__module__ == __name__:
        return
    before = answered.fget

    def enforces(model: Any) -> bool:
        """Whether the table that dbt makes of the model keeps the constraints of its contract."""
        return model.config.materialized == STREAM_TABLE or bool(before(model))

    setattr(ModelNode, ASKED, property(enforces))
