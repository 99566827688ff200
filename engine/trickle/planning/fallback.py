"""Failures as values, and what a refresh does instead when its statement fails for a reason that was foreseen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from trickle.errors import Reason
from trickle.plan.stops import code_of
from trickle.reasons import reason


@dataclass(frozen=True)
class Failure:
    """Why Spark could not finish a statement, in Spark's own values."""

    condition: str
    """Spark's name for it, as `DIVIDE_BY_ZERO`; '' where it has none."""
    sqlstate: str
    """Of five characters; '' where there is none."""
    message: str
    """For people. No decision looks at it."""
    parameters: Mapping[str, str] = field(default_factory=dict)
    """The parameters of the condition, by name."""
    causes: tuple[Failure, ...] = ()
    """The failures within it, outermost first; none of them has causes of its own."""

    @property
    def chain(self) -> tuple[Failure, ...]:
        """The failure and its causes, outermost first."""
        return (self, *self.causes)

    def first(self, *conditions: str) -> Failure | None:
        """The outermost failure of the chain with one of these conditions, or with a subcondition of one."""
        return next((failure for failure in self.chain if failure.condition.partition(".")[0] in conditions), None)


STACK_OVERFLOW = "TRICKLE_STACK_OVERFLOW"
"""Our condition for Java's StackOverflowError: Spark has none for it."""

TOO_MANY_ITERATIONS = "TRICKLE_TOO_MANY_ITERATIONS"
"""Our condition for an analysis that Spark's analyzer gave up, which it throws without one."""

USER_RAISED = "USER_RAISED_EXCEPTION"
RAISED_TEXT = "errorMessage"
"""The condition of RAISE_ERROR, and the parameter that holds its text."""

RAISED_BY_US = ("rows_run_out", "stored_rows_differ", "recursion_limit", "sum_overflows")
"""The codes with which statements of ours end themselves; each is that of a reason."""

BAD_VALUES = ("21", "22", "P0001")
"""How SQLSTATEs begin that values cause: too many rows for one value; overflow, division, cast; RAISE_ERROR."""


def reason_to_recompute(failure: Failure) -> Reason | None:
    """Why the whole result must be computed anew after a maintaining statement failed so; None: it need not."""
    return next((why for cause in failure.chain if (why := _reason(cause)) is not None), None)


def _reason(failure: Failure) -> Reason | None:
    match failure.condition:
        case "USER_RAISED_EXCEPTION" if (code := code_of(failure.parameters.get(RAISED_TEXT, ""))) in RAISED_BY_US:
            return reason(code)
        case "RECURSION_LEVEL_LIMIT_EXCEEDED" | "RECURSION_ROW_LIMIT_EXCEEDED":
            # A change was followed too far: the whole recursion may still end.
            return reason("recursion_limit")
        case "FAILED_TO_PARSE_TOO_COMPLEX" | "TRICKLE_STACK_OVERFLOW" | "TRICKLE_TOO_MANY_ITERATIONS":
            # The statement is nested deeper than the query it maintains.
            return reason("statement_too_deep")
        case _ if failure.sqlstate.startswith(BAD_VALUES):
            return reason("bad_value")
        case _:
            return None
