"""Runs one scenario on one ring, from empty tables to a verdict."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Optional

from dbt.adapters.trickle.catalog.answers import Resolve
from dbt.adapters.trickle.cli.bugs import BUGS, describe_bug
from dbt.adapters.trickle.cli.refusal import Refusal
from dbt.adapters.trickle.cli.verify.ring import Ring, RingCannot
from dbt.adapters.trickle.cli.verify.rows import difference
from dbt.adapters.trickle.cli.verify.scenario import MINUTE, Change, Expectation, Scenario, Step
from dbt.adapters.trickle.cli.verify.stream import Inexact, Stream, compiled
from trickle import InvalidView, Name, RefreshPlan, Relation, Table, TrickleError


class Verdict(Enum):
    """The result of a scenario."""

    EXACT = "exact"
    MISMATCHED = "mismatched"
    UNSUPPORTED = "unsupported"
    INVALID = "invalid"
    EXHAUSTED = "exhausted"


FAULTS = (Verdict.MISMATCHED, Verdict.INVALID, Verdict.EXHAUSTED)
"""Verdicts for which the command fails."""


@dataclass(frozen=True)
class Outcome:
    """A scenario's verdict, how its tables were maintained, what every refresh did, and the first difference."""

    id: str
    verdict: Verdict
    maintained: str = ""
    actions: tuple[str, ...] = ()
    """Per step, `table ACTION strategy` of every stream table."""
    detail: str = ""

    def as_dict(self) -> dict[str, Any]:
        record: dict[str, Any] = {"id": self.id, "verdict": self.verdict.value, "maintained": self.maintained}
        record["actions"] = list(self.actions)
        if self.detail:
            record["detail"] = self.detail
        return record


@dataclass
class _Progress:
    """How far a scenario got, for the report if it fails."""

    streams: list[Stream] = field(default_factory=list)
    actions: list[str] = field(default_factory=list)
    position: str = "the first build"

    @property
    def maintained(self) -> str:
        verdicts = {stream.view.verdict for stream in self.streams}
        return "recompute" if "recompute" in verdicts else "incremental" if verdicts else ""


def run_scenario(scenario: Scenario, ring: Ring, all_ways: bool = True) -> Outcome:
    """Build, then change, refresh and compare, step by step. Every failure is a verdict with a message."""
    if ring.name in scenario.skips:
        return Outcome(scenario.id, Verdict.UNSUPPORTED, detail=f"not on {ring.name}: {scenario.skips[ring.name]}")
    progress = _Progress()
    schema = ring.begin()
    try:
        _run(scenario, ring, schema, progress, all_ways)
        verdict, detail = Verdict.EXACT, ""
    except RingCannot as refusal:
        verdict, detail = Verdict.UNSUPPORTED, f"{ring.name} cannot run it: {refusal}"
    except InvalidView as refusal:
        verdict, detail = Verdict.INVALID, f"the query is invalid: {refusal}"
    except Inexact as failure:
        verdict, detail = Verdict.MISMATCHED, f"{progress.position}: {failure}"
    except TrickleError as failure:
        verdict, detail = Verdict.MISMATCHED, f"{progress.position}: the engine failed: {failure.code}: {failure}"
    except MemoryError:
        verdict, detail = Verdict.EXHAUSTED, f"{progress.position}: out of memory"
    except ring.exhaustions as failure:
        verdict, detail = Verdict.EXHAUSTED, f"{progress.position}: out of memory: {ring.sentence(failure)}"
    except ring.breakdowns as failure:
        verdict = Verdict.UNSUPPORTED
        detail = f"{progress.position}: {ring.name} itself failed: {ring.sentence(failure)}"
    except ring.errors as failure:
        verdict, detail = Verdict.MISMATCHED, f"{progress.position}: the statement failed: {ring.sentence(failure)}"
    except RecursionError:
        verdict = Verdict.UNSUPPORTED
        detail = f"{progress.position}: the query is nested too deep to be verified; split it into several models"
    except BUGS as bug:
        verdict, detail = Verdict.MISMATCHED, f"{progress.position}: {describe_bug(bug)}"
    finally:
        ring.end()
    return Outcome(scenario.id, verdict, progress.maintained, tuple(progress.actions), detail)


def _run(scenario: Scenario, ring: Ring, schema: str, progress: _Progress, all_ways: bool) -> None:
    relations: dict[str, Relation] = {}
    for table in scenario.tables:
        ring.create_table(table.name, table.columns, table.rows)
        relations[table.name.lower()] = Table((schema, table.name.lower()), table.columns)
    resolve = _resolver(relations)
    for index, query in enumerate(scenario.views):
        stream = compiled(ring, query, resolve, schema, read_on=index + 1 < len(scenario.views))
        if query.verdict is not None and stream.view.verdict != query.verdict:
            raise Inexact(
                f"{query.name} is maintained as {stream.view.verdict}, expected {query.verdict}: {_reasons(stream)}"
            )
        progress.streams.append(stream)
        stream.refresh(now=scenario.start, turn=index, all_ways=all_ways)
        relations[query.name.lower()] = stream.relation
    now = scenario.start
    for number, step in enumerate(scenario.steps, 1):
        progress.position = f"step {number}"
        now = step.at if step.at is not None else now + MINUTE
        _run_step(step, number, now, ring, progress, all_ways)


def _run_step(step: Step, number: int, now: int, ring: Ring, progress: _Progress, all_ways: bool) -> None:
    for change in step.changes:
        _apply(change, ring)
    for index, stream in enumerate(progress.streams):
        refreshed = stream.refresh(now, number + index, all_ways)
        progress.actions.append(f"{stream.query.name} {refreshed.taken.action.value} {refreshed.taken.strategy}")
        for expected in step.expectations:
            if expected.view.lower() == stream.query.name.lower():
                _check(expected, stream, refreshed.planned, ring)


def _apply(change: Change, ring: Ring) -> None:
    try:
        ring.change(change.sql)
    except (Refusal, InvalidView) as error:
        raise Inexact(f"{change.position or change.sql}: the change cannot be made: {error}") from error
    except ring.errors as error:
        raise Inexact(f"{change.position or change.sql}: the change cannot be made: {ring.sentence(error)}") from error


def _check(expected: Expectation, stream: Stream, plan: RefreshPlan, ring: Ring) -> None:
    """Check an expectation of the scenario."""
    comparisons = [("action", expected.action, plan.action.value), ("strategy", expected.strategy, plan.strategy)]
    for name, expected_value, actual in comparisons:
        if expected_value is not None and expected_value != actual:
            raise Inexact(
                f"{expected.position}: the {name} of {stream.query.name} is {actual}, expected {expected_value}"
            )
    if expected.rows is not None:
        wrong = difference(stream.rows(), ring.values(expected.rows))
        if wrong is not None:
            sentence = wrong.replace("in the result", "expected")
            raise Inexact(f"{expected.position}: {stream.query.name} does not have the expected rows: {sentence}")


def _resolver(relations: dict[str, Relation]) -> Resolve:
    def resolve(name: Name) -> Optional[Relation]:
        return relations.get(name[-1])

    return resolve


def _reasons(stream: Stream) -> str:
    return " ".join(reason.sentence() for reason in stream.view.reasons) or "no reason"
