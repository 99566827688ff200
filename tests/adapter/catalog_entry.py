"""The rows of Spark's DESCRIBE for a view that a refresh has created."""

from __future__ import annotations

from dbt.adapters.trickle.refreshing.decision import Decision
from trickle import RefreshPlan
from trickle.apply.steps import Create, SetProperties

Rows = list[tuple[object, ...]]


def described(decision: Decision) -> Rows:
    facade, storage = decision.facade, decision.storage
    marks = f"[trickle.storage={storage.schema}.{storage.identifier}, trickle.text={facade.text_fingerprint}]"
    columns: Rows = [(column.name, "int", column.comment) for column in facade.columns]
    details: Rows = [("Type", "VIEW", ""), ("View Text", facade.sql, ""), ("Table Properties", marks, "")]
    return [*columns, ("", "", ""), ("# Detailed Table Information", "", ""), *details]


def written_properties(plan: RefreshPlan) -> dict[str, str]:
    """The properties of the storage that a plan writes."""
    steps = [step for step in plan.steps if isinstance(step, (Create, SetProperties))]
    return {name: value for step in steps for name, value in step.properties.items()}
