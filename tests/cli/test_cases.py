"""Every case file is exact on DuckDB, by every applicable strategy, in all its variants."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from dbt.adapters.trickle.cli.verify.case_file import read_cases
from dbt.adapters.trickle.cli.verify.duck import DuckRing
from dbt.adapters.trickle.cli.verify.run import Verdict, run_scenario
from dbt.adapters.trickle.cli.verify.scenario import Scenario

CASES = Path(__file__).parents[1] / "cases"
FILES = sorted(CASES.rglob("*.case"))
NAMES = [str(file.relative_to(CASES).with_suffix("")) for file in FILES]


@pytest.fixture(scope="module")
def ring() -> DuckRing:
    return DuckRing()


@pytest.mark.parametrize("file", FILES, ids=NAMES)
def test_case_holds_on_duckdb(file: Path, ring: DuckRing) -> None:
    """As it is written, each stream table is its query after every step, by every strategy."""
    assert_holds(next(read_cases(file)), ring, all_ways=True)


@pytest.mark.parametrize("file", FILES, ids=NAMES)
def test_variants_hold_on_duckdb(file: Path, ring: DuckRing) -> None:
    """The same of the case's variants, by one strategy in turn."""
    for scenario in islice(read_cases(file), 1, None):
        assert_holds(scenario, ring, all_ways=False)


def assert_holds(scenario: Scenario, ring: DuckRing, all_ways: bool) -> None:
    """Exact, or refused where the case says so."""
    outcome = run_scenario(scenario, ring, all_ways=all_ways)
    skipped = ring.name in scenario.skips
    assert outcome.verdict is (Verdict.UNSUPPORTED if skipped else Verdict.EXACT), f"{outcome.id}: {outcome.detail}"
