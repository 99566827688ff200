"""How Spark plans a statement: again after every stage, or once."""

from __future__ import annotations

ADAPTIVE = "spark.sql.adaptive.enabled"
CONSTRAINTS = "spark.sql.constraintPropagation.enabled"
"""Whether Spark derives conditions from conditions: with many joins and columns that takes longer than all the rest."""


def planned_once(once: bool) -> dict[str, str | None]:
    """Where there is nothing to learn from a stage, planning again after it is most of the work."""
    return {ADAPTIVE: "false", CONSTRAINTS: "false"} if once else {}
