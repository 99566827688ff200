"""A case that is run on DuckDB never passes where it is broken, and spoils no other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

from dbt.adapters.trickle.cli.verify.case_file import parse_case
from dbt.adapters.trickle.cli.verify.duck import DuckRing
from dbt.adapters.trickle.cli.verify.run import Outcome, Verdict, run_scenario
from tests.cli.pairs import CASE
from trickle.apply import recount
from trickle.plan.op import Op


@pytest.fixture(scope="module")
def ring() -> DuckRing:
    return DuckRing()


def run(ring: DuckRing, text: str) -> Outcome:
    return run_scenario(parse_case(Path("c.case"), text)[0], ring)


def test_an_expensive_strategy_is_verified_too(ring: DuckRing, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error in the most expensive statement is found although a refresh would choose another."""
    right = recount.recount

    def forgetful(delta: Op, layout: Any, target: Any, binding: Any) -> Any:
        merge = right(delta, layout, target, binding)
        merge.args["whens"].expressions[0].set("condition", recount.exp.false())
        return merge

    monkeypatch.setattr(recount, "recount", forgetful)
    outcome = run(ring, CASE)

    assert outcome.verdict is Verdict.MISMATCHED
    assert "recount" in outcome.detail


@pytest.mark.parametrize(
    ("addition", "sentence"),
    [
        ("expect pairs FULL\n", "c.case:16: the action of pairs is INCREMENTAL, expected FULL"),
        ("expect pairs by append\n", "c.case:16: the strategy of pairs is"),
        ("expect pairs\n    (7, 7)\n", "not have the expected rows: stored but not expected: (2, 2)"),
        ("step\n    DELETE FROM nowhere\n", "c.case:17: the change cannot be made"),
        ("step\n    INSERT INTO l VALUES (1)\n", "c.case:17: the change cannot be made"),
    ],
)
def test_a_failing_case_is_mismatched(ring: DuckRing, addition: str, sentence: str) -> None:
    """A wrong expectation and a broken statement are reported with file and line."""
    outcome = run(ring, CASE + addition)

    assert outcome.verdict is Verdict.MISMATCHED
    assert sentence in outcome.detail.replace("has not", "not")


def test_an_expected_verdict_is_checked(ring: DuckRing) -> None:
    """A view expected to be recomputed that is maintained is a difference, too."""
    outcome = run(ring, CASE.replace("view pairs", "view pairs is recompute"))

    assert "expected recompute" in outcome.detail


def test_the_ring_is_clean_after_a_failure(ring: DuckRing) -> None:
    """One broken scenario must not spoil the next."""
    run(ring, CASE + "step\n    DELETE FROM nowhere\n")

    assert run(ring, CASE).verdict is Verdict.EXACT


def test_an_internal_error_of_the_database_is_no_mismatch(ring: DuckRing, monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not show that the stored rows are wrong."""

    def breaks(*_: object) -> None:
        raise duckdb.InternalException("INTERNAL Error: no binding")

    monkeypatch.setattr(DuckRing, "commit", breaks)

    outcome = run(ring, CASE)

    assert (outcome.verdict, outcome.detail) == (
        Verdict.UNSUPPORTED,
        "the first build: duckdb itself failed: INTERNAL Error: no binding",
    )


def test_a_database_that_answers_nothing_more_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """DuckDB refuses every statement after an error it calls fatal: the next scenario gets another database."""
    ring = DuckRing()

    def invalidated(self: DuckRing, *_: object) -> None:
        class Invalidated:
            def execute(self, *_: object) -> None:
                raise duckdb.FatalException("FATAL Error: the database has been invalidated")

        monkeypatch.setattr(self, "_database", Invalidated())
        raise duckdb.FatalException("FATAL Error: no index 3")

    with monkeypatch.context() as broken:
        broken.setattr(DuckRing, "commit", invalidated)
        first = run(ring, CASE)

    assert first.verdict is Verdict.UNSUPPORTED
    assert run(ring, CASE).verdict is Verdict.EXACT


def test_a_skipped_ring_has_its_reason(ring: DuckRing) -> None:
    """It is not reported as exact."""
    scenario = replace(parse_case(Path("c.case"), CASE)[0], skips={"duckdb": "for a reason"})

    assert run_scenario(scenario, ring).detail == "not on duckdb: for a reason"
