"""Every case file is exact on DuckDB, by every applicable strategy, in all its variants."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dbt.adapters.trickle.cli.verify.case_file import read_cases
from dbt.adapters.trickle.cli.verify.duck import DuckRing
from dbt.adapters.trickle.cli.verify.run import Verdict, run_scenario

CASES = Path(__file__).parents[1] / "cases"
FILES = sorted(CASES.rglob("*.case"))
QUICK = int(os.environ.get("TRICKLE_LAWS", "2000")) < 1000
"""`make check` runs each case as it is written; `make test` its variants, too."""


@pytest.fixture(scope="module")
def ring() -> DuckRing:
    return DuckRing()


@pytest.mark.parametrize("file", FILES, ids=[str(file.relative_to(CASES).with_suffix("")) for file in FILES])
def test_case_holds_on_duckdb(file: Path, ring: DuckRing) -> None:
    """After every step each stream table is its query; as written by every strategy, variants by one in turn."""
    for number, scenario in enumerate(read_cases(file)):
        if number and QUICK:
            return
        outcome = run_scenario(scenario, ring, all_ways=number == 0)

        skipped = ring.name in scenario.skips
        assert outcome.verdict is (Verdict.UNSUPPORTED if skipped else Verdict.EXACT), f"{outcome.id}: {outcome.detail}"
