"""Everything the engine can say went wrong.

TrickleError
├── InvalidView      the model's SQL or configuration is wrong; Spark would refuse it too
│   └── Unreadable   the text is no SQL to our parser; only Spark can say whether it is none at all
├── Unsupported      right, but we cannot maintain it incrementally (carries every reason)
├── StateError       the stored table disagrees with what it says about itself
└── InternalError    our bug: an invariant of a plan does not hold
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Position:
    """A place in the user's own text: 1-based line and column, and the offsets it spans."""

    line: int
    column: int
    start: int
    end: int


@dataclass(frozen=True)
class Reason:
    """Why something is not maintained, or why a refresh did what it did."""

    code: str
    message: str
    position: Position | None = None
    remedy: str = ""

    def sentence(self) -> str:
        """The reason as one line for a console: where, what, and what to do next."""
        where = f"line {self.position.line}, column {self.position.column}: " if self.position else ""
        return f"{where}{self.words()}"

    def words(self) -> str:
        """What, and what to do next."""
        if not self.remedy:
            return self.message
        stop = "" if self.message.endswith((".", "?", ":")) else "."
        return f"{self.message}{stop} {self.remedy}"


class TrickleError(Exception):
    """Base of everything the engine raises on purpose."""

    code = "error"

    def __init__(self, message: str, position: Position | None = None, remedy: str = "") -> None:
        self.message = message
        self.position = position
        self.remedy = remedy
        super().__init__(Reason(self.code, message, position, remedy).sentence())


class InvalidView(TrickleError):
    """The model's SQL cannot be understood: Spark would refuse it too."""

    code = "invalid_view"


class Unreadable(InvalidView):
    """The parser cannot read the text. Spark may: it has the last word where it is at hand."""


class Unsupported(TrickleError):
    """The query is right but has no incremental form here."""

    code = "unsupported"

    def __init__(self, reasons: Sequence[Reason]) -> None:
        self.reasons = tuple(reasons)
        first = self.reasons[0]
        super().__init__(first.message, first.position, first.remedy)
        self.code = first.code
        # Whoever mends one is not to be told of the next only then.
        self.args = (" ".join(dict.fromkeys(one.sentence() for one in self.reasons)),)


class StateError(TrickleError):
    """Stored state disagrees with what it says about itself."""

    code = "state_disagrees"


class InternalError(TrickleError):
    """A plan broke one of its own invariants: this is a bug in dbt-trickle."""

    code = "internal_error"
