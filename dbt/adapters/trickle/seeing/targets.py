"""How old a table's rows may become: by its schedule, or by those of the tables that read it."""

from __future__ import annotations

from dbt.adapters.trickle.project.nodes import Node
from dbt.adapters.trickle.project.project import Project
from dbt.adapters.trickle.seeing.status import LagTarget, Targets
from trickle import AskedSchedule, EveryRun, Graph, TrickleError, Vertex, parse_schedule


def targets_of(project: Project) -> Targets:
    """Answers for the project's stream tables; a schedule nobody can read has no target, and `dbt run` refuses it."""
    zone = project.profile.time_zone
    graph = Graph({key: _vertex(node, zone) for key, node in project.nodes.items()})

    def answer(node: Node, now: int) -> LagTarget:
        schedule = graph.schedule(node.id)
        if isinstance(schedule, EveryRun) and not schedule.on_update:
            asked = node.config.get("schedule")
            return LagTarget(str(asked) if asked else "")
        return LagTarget(str(schedule), schedule.target(now))

    return answer


def _vertex(node: Node, zone: str) -> Vertex:
    return Vertex(node.id, node.reads, node.is_stream_table, _asked(node, zone))


def _asked(node: Node, zone: str) -> AskedSchedule | None:
    said = node.config.get("schedule")
    if said is None or not node.is_stream_table:
        return None
    try:
        return parse_schedule(said, zone)
    except TrickleError:
        return None
