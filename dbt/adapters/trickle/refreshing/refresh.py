"""One refresh as the executor runs it: a decision, the plan that is carried out, and what is done instead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from dbt.adapters.trickle.history.delta_files import StampedCommit
from dbt.adapters.trickle.refreshing.damage import Damage, damage_behind
from dbt.adapters.trickle.refreshing.decision import Decision
from dbt.adapters.trickle.refreshing.stamping import verify_commit
from trickle import Failure, RefreshPlan
from trickle.planning.refresh import plan_instead


@dataclass(frozen=True)
class Refresh:
    """A decision and the plan to run: its own, or the one instead of it."""

    decision: Decision
    plan: RefreshPlan
    decide_again: Callable[[Damage], Decision] | None = None
    """Decides anew when a statement finds the storage damaged; None once that was done."""
    started: float = 0.0
    """When its planning began, by a clock that only measures."""

    @property
    def headline(self) -> str:
        """One line for the console, when something out of the ordinary is done."""
        return f"{self.plan.action.value} ({self.plan.reason.code}): {self.plan.reason.sentence()}"

    @property
    def script(self) -> str:
        """What target/run shows before the first statement."""
        return f"-- {self.headline}\n"

    @property
    def warnings(self) -> tuple[str, ...]:
        return self.decision.warnings

    @property
    def checks_contract(self) -> bool:
        return self.decision.checks_contract

    def verify(self) -> StampedCommit | None:
        return verify_commit(self.decision, self.plan)

    def instead(self, failure: Failure) -> Refresh | None:
        """Another plan of the same situation; where the storage is damaged, a new decision that knows it."""
        if self.decide_again is not None and not self.plan.creates:
            damage = damage_behind(failure, self.decision.log.path.name)
            if damage is not None:
                decision = self.decide_again(damage)
                return Refresh(decision, decision.plan, started=self.started)
        plan = plan_instead(self.decision.situation, self.plan, failure)
        return None if plan is None else replace(self, plan=plan)


def refresh_of(
    decision: Decision, decide_again: Callable[[Damage], Decision] | None = None, started: float = 0.0
) -> Refresh:
    """A refresh by the decision's own plan."""
    return Refresh(decision, decision.plan, decide_again, started)
