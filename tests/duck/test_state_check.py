"""The check of hidden state finds nothing after any refresh of any case, and finds what is planted."""

from __future__ import annotations

from pathlib import Path

import pytest

from trickle import Frontier, state_check
from trickle.cli.verify import stream
from trickle.cli.verify.case_file import read_cases
from trickle.cli.verify.duck import DuckRing
from trickle.cli.verify.run import Verdict, run_scenario
from trickle.cli.verify.stream import Inexact, Refreshed, Stream

CASES = Path(__file__).parents[1] / "cases"
FOLDERS = ("aggregate", "distinct", "keyless", "top_k", "apply", "join", "window")


class Checked(Stream):
    """A stream table whose state is checked after every refresh, after what a test does to it."""

    damage = ""

    def refresh(self, now: int, turn: int, all_ways: bool) -> Refreshed:
        done = super().refresh(now, turn, all_ways)
        if self.damage:
            self.ring.rows(self.damage)
        found = self.ring.rows(state_check(self.view, self.target, Frontier({})))
        if found:
            raise Inexact(f"{found[0]}")
        return done


@pytest.mark.parametrize("file", sorted(f for folder in FOLDERS for f in (CASES / folder).glob("*.case")), ids=str)
def test_no_refresh_leaves_a_state_the_check_complains_of(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever happened to the sources, by whatever strategy."""
    monkeypatch.setattr(stream, "Stream", Checked)

    for scenario in read_cases(file):
        outcome = run_scenario(scenario, DuckRing(), all_ways=False)
        assert outcome.verdict is not Verdict.MISMATCHED, outcome.detail
