"""A statement taken apart gives the rows of the whole one, wherever it is cut."""

from __future__ import annotations

from pathlib import Path

import pytest

from dbt.adapters.trickle.cli.verify.case_file import read_cases
from dbt.adapters.trickle.cli.verify.duck import DuckRing
from dbt.adapters.trickle.cli.verify.run import Verdict, run_scenario
from trickle.apply import materialized_parts
from trickle.apply.steps import Stage, Write

CASES = Path(__file__).parents[1] / "cases"
FOLDERS = ("distinct", "mark_join", "outer_join", "scalar_subquery", "set_difference", "top_k")


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_cut_gives_the_same_rows(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here whatever is read twice becomes a part, which in earnest only large ones do."""
    monkeypatch.setattr(materialized_parts, "MANY", 2)
    monkeypatch.setattr(materialized_parts, "WORTH", 1)
    ring = DuckRing()
    seen: list[list[Stage | Write]] = []
    attempt = ring.attempt
    monkeypatch.setattr(ring, "attempt", lambda *given: seen.append(given[1]) or attempt(*given))  # type: ignore[func-returns-value]
    for file in sorted((CASES / folder).glob("*.case"))[:20]:
        scenario = next(iter(read_cases(file)))
        if ring.name in scenario.skips:
            continue
        outcome = run_scenario(scenario, ring, all_ways=True)
        assert outcome.verdict is Verdict.EXACT, f"{outcome.id}: {outcome.detail}"
    assert any(isinstance(step, Stage) for data in seen for step in data)
