"""How old a table's rows may become: by its schedule, or by those of the tables that read it."""

from __future__ import annotations

from dbt.adapters.trickle.monitoring.status import LagTarget, Targets
from dbt.adapters.trickle.project.nodes import Node
from dbt.adapters.trickle.project.project import Project
from dbt.adapters.trickle.scheduling.due_tables import graph_of
from trickle import EveryRun, schedule_sentence


def targets_of(project: Project) -> Targets:
    """Answers for the project's stream tables; a schedule nobody can read has no target, and `dbt run` refuses it."""
    graph = graph_of(project.nodes, project.profile.time_zone)

    def answer(node: Node, now: int) -> LagTarget:
        schedule = graph.schedule(node.id)
        if isinstance(schedule, EveryRun) and not schedule.on_update:
            asked = node.config.get("schedule")
            return LagTarget(str(asked) if asked else "")
        return LagTarget(
            str(schedule), schedule_sentence(schedule, now, project.profile.time_zone), schedule.target(now)
        )

    return answer
