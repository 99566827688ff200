"""The errors of the engine.

TrickleError
├── InvalidView      the model's SQL or configuration is wrong; Spark would refuse it too
│   └── Unreadable   our parser cannot parse the text; only Spark can decide whether it is valid
├── Unsupported      a valid query without an incremental form (carries every reason)
├── StateError       the stored table contradicts its stamp
└── InternalError    our bug: an invariant of a plan does not hold
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Position:
    """A span of the user's own text: 1-based line and column, and its offsets."""

    line: int
    column: int
    start: int
    end: int


@dataclass(frozen=True)
class Reason:
    """Why something is not maintained, or why a refresh took its action."""

    code: str
    message: str
    position: Position | None = None
    remedy: str = ""

    def sentence(self) -> str:
        """The reason as one line for a console: where, what, what to do next."""
        where = f"line {self.position.line}, column {self.position.column}: " if self.position else ""
        return f"{where}{self.words()}"

    def words(self) -> str:
        """The reason without its position: what, what to do next."""
        if not self.remedy:
            return self.message
        stop = "" if self.message.endswith((".", "?", ":")) else "."
        return f"{self.message}{stop} {self.remedy}"


class TrickleError(Exception):
    """Base of all errors that the engine raises."""

    code = "error"

    def __init__(self, message: str, position: Position | None = None, remedy: str = "") -> None:
        self.message = message
        self.position = position
        self.remedy = remedy
        super().__init__(Reason(self.code, message, position, remedy).sentence())


class InvalidView(TrickleError):
    """The model's SQL is wrong: Spark would refuse it too."""

    code = "invalid_view"


class Unreadable(InvalidView):
    """Our parser cannot parse the text. Where Spark is available, it decides whether the text is valid."""


class Unsupported(TrickleError):
    """The query is valid and has no incremental form."""

    code = "unsupported"

    def __init__(self, reasons: Sequence[Reason]) -> None:
        self.reasons = tuple(reasons)
        first = self.reasons[0]
        super().__init__(first.message, first.position, first.remedy)
        self.code = first.code
        # All reasons at once, so that users can fix them together.
        self.args = (" ".join(dict.fromkeys(reason.sentence() for reason in self.reasons)),)


class StateError(TrickleError):
    """The stored state contradicts its stamp."""

    code = "state_disagrees"


class InternalError(TrickleError):
    """A plan violates one of its invariants: a bug in dbt-trickle."""

    code = "internal_error"
