"""The stamp on its way into a commit, and the proof that it got there."""

from __future__ import annotations

from dbt_common.exceptions import DbtRuntimeError

from dbt.adapters.trickle.history.delta_files import StampedCommit, last_stamp, unstamped_change
from dbt.adapters.trickle.refreshing.decision import Decision
from trickle import RefreshPlan, Stamp

USER_METADATA = "spark.databricks.delta.commitInfo.userMetadata"
TRANSACTION_APP = "spark.databricks.delta.write.txnAppId"
TRANSACTION_VERSION = "spark.databricks.delta.write.txnVersion"


def stamping(stamp: Stamp | None) -> dict[str, str | None]:
    """Settings under which a commit carries the stamp and an idempotency pair."""
    if stamp is None:
        return {}
    return {
        USER_METADATA: stamp.to_json(),
        TRANSACTION_APP: stamp.node,
        TRANSACTION_VERSION: str(stamp.refresh),
    }


def verify_commit(decision: Decision, plan: RefreshPlan) -> StampedCommit | None:
    """The commit with the plan's stamp: the last one that has any, with nobody's writing in between.

    Delta passes over a transaction number it has seen: then another run was faster and this one wrote nothing.
    """
    if plan.stamp is None:
        return None
    log = decision.log.by_now()
    commit = last_stamp(log)
    if commit is None or commit.stamp.extra != plan.stamp.extra:
        raise DbtRuntimeError(
            f"Another run refreshed {decision.relation} at the same time, so this one wrote nothing; "
            "nothing is lost, run dbt again."
        )
    planned_on = decision.log.latest if decision.log.exists else -1
    foreign = unstamped_change(log, commit, planned_on)
    if foreign is not None and not plan.creates:
        raise DbtRuntimeError(
            f"Version {foreign.version} of {decision.storage} is a {foreign.operation} by somebody else that came "
            "in the middle of this refresh; run dbt again, it will rebuild the table."
        )
    return commit
