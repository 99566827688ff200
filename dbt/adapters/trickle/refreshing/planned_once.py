"""How Spark plans a statement: again after every stage, or once."""

from __future__ import annotations

ADAPTIVE = "spark.sql.adaptive.enabled"


def planned_once(once: bool) -> dict[str, str | None]:
    """Where there is nothing to learn from a stage, planning again after it is most of the work."""
    return {ADAPTIVE: "false"} if once else {}
