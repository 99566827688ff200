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
    """The failures within it, outermost first."""
