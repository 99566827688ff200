"""fallback: what to do instead, when a statement fails because of what is stored or of a limit of Spark's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


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
    """What the condition says about itself, by name."""
    causes: tuple[Failure, ...] = ()
    """The failures within it, outermost first; none of them has causes of its own."""

    @property
    def chain(self) -> tuple[Failure, ...]:
        """The failure and its causes, outermost first."""
        return (self, *self.causes)

    def find(self, *conditions: str) -> Failure | None:
        """The outermost failure of the chain with one of these conditions, or with a subcondition of one."""
        return next((one for one in self.chain if one.condition.partition(".")[0] in conditions), None)


STACK_OVERFLOW = "TRICKLE_STACK_OVERFLOW"
"""Our condition for Java's StackOverflowError: Spark has none for it."""

TOO_MANY_ITERATIONS = "TRICKLE_TOO_MANY_ITERATIONS"
"""Our condition for an analysis that Spark's analyzer gave up, which it throws without one."""
