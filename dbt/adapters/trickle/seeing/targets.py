"""How old a table's rows may become, by its schedule."""

from __future__ import annotations

from dbt.adapters.trickle.project.nodes import Node
from dbt.adapters.trickle.seeing.status import LagTarget


def lag_target(node: Node, now: int) -> LagTarget:
    schedule = node.config.get("schedule")
    return LagTarget(str(schedule)) if schedule else LagTarget()
