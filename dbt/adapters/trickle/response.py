"""What a refresh tells dbt: the console's bracket and everything in run_results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dbt.adapters.contracts.connection import AdapterResponse

from dbt.adapters.trickle.delta_log.commit import Commit
from trickle import Action

MESSAGE_LENGTH = 60


@dataclass
class VersionStep:
    """From which version of a source to which a refresh went; `before` is None when it was read whole."""

    source: str
    before: int | None
    after: int


@dataclass
class ExecutedStatement:
    """A statement of a refresh and how long it took."""

    kind: str
    why: str
    seconds: float


@dataclass
class StreamTableResponse(AdapterResponse):
    """The outcome of a refresh. dbt writes every field into run_results.json."""

    action: str = ""
    reason_code: str = ""
    reason: str = ""
    strategy: str = ""
    rows_inserted: int | None = None
    rows_updated: int | None = None
    rows_deleted: int | None = None
    sources: list[VersionStep] = field(default_factory=list)
    statements: list[ExecutedStatement] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0
    prices: dict[str, float] = field(default_factory=dict)
    """Strategy → estimated seconds, `full` among them; empty when nothing was compared."""
    storage_version: int | None = None


@dataclass(frozen=True)
class RowCounts:
    """Rows a commit inserted, updated and deleted; None where the writer does not count."""

    inserted: int | None = None
    updated: int | None = None
    deleted: int | None = None

    @property
    def touched(self) -> int | None:
        known = [count for count in (self.inserted, self.updated, self.deleted) if count is not None]
        return sum(known) if known else None


def row_counts(commit: Commit | None, rows_before: int | None) -> RowCounts:
    """The writer's own metrics; an overwrite counts only what it wrote, and what went is all there was."""
    if commit is None:
        return RowCounts(0, 0, 0)
    metrics = commit.metric_rows
    if commit.operation == "MERGE":
        return RowCounts(
            metrics.get("numTargetRowsInserted", 0),
            metrics.get("numTargetRowsUpdated", 0),
            metrics.get("numTargetRowsDeleted", 0),
        )
    replaces = commit.replaces or bool(commit.removed)
    return RowCounts(metrics.get("numOutputRows", 0), 0, rows_before if replaces else 0)


def message(action: Action, reason_code: str, strategy: str, counts: RowCounts) -> str:
    """At most sixty characters: `INCREMENTAL +12 ~3 -1 merge`, `NO_DATA`, `FULL +120 (first_build)`."""
    words = [action.value]
    if action not in (Action.NO_DATA, Action.SKIP):
        signs = (("+", counts.inserted), ("~", counts.updated), ("-", counts.deleted))
        words += [f"{sign}{count}" for sign, count in signs if count]
        if action in (Action.FULL, Action.REINITIALIZE):
            words.append(f"({reason_code})")
        elif strategy:
            words.append(strategy)
    return " ".join(words)[:MESSAGE_LENGTH]


def version_steps(before: Mapping[str, int], after: Mapping[str, int], whole: bool) -> Sequence[VersionStep]:
    """Every source of a refresh, sorted by name."""
    return [VersionStep(name, None if whole else before.get(name), after[name]) for name in sorted(after)]
