"""How Spark plans a statement: again after every stage, or once."""

from __future__ import annotations

ADAPTIVE = "spark.sql.adaptive.enabled"


def planned_once(one_task: bool) -> dict[str, str | None]:
    """Where every stage is one task's there is nothing to learn from it, and planning again is most of the work."""
    return {ADAPTIVE: "false"} if one_task else {}
