"""How old a table's rows may become, by its schedule or those of the tables that read it."""

from __future__ import annotations

from dbt.adapters.trickle.monitoring.status import LagTarget, Targets
from dbt.adapters.trickle.project.nodes import Node
from dbt.adapters.trickle.project.project import Project
from dbt.adapters.trickle.scheduling.due_tables import schedule_graph
from trickle.schedule.sentences import schedule_sentence
from trickle.schedule.slots import EveryRun


def targets_of(project: Project) -> Targets:
    """The target of each stream table; an invalid schedule has none, and `dbt run` refuses it."""
    graph = schedule_graph(project.nodes, project.profile.time_zone)

    def answer(node: Node, now: int) -> LagTarget:
        schedule = graph.schedule(node.id)
        if isinstance(schedule, EveryRun) and not schedule.on_update:
            configured = node.config.get("schedule")
            return LagTarget(str(configured) if configured else "")
        return LagTarget(
            str(schedule), schedule_sentence(schedule, now, project.profile.time_zone), schedule.target(now)
        )

    return answer
