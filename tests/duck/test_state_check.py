"""The check of hidden state finds nothing after any refresh of any case, and finds what is planted."""

from __future__ import annotations

from pathlib import Path

import pytest

from dbt.adapters.trickle.cli.verify import stream
from dbt.adapters.trickle.cli.verify.case_file import parse_case, read_cases
from dbt.adapters.trickle.cli.verify.duck import DuckRing
from dbt.adapters.trickle.cli.verify.run import Verdict, run_scenario
from dbt.adapters.trickle.cli.verify.scenario import Scenario
from dbt.adapters.trickle.cli.verify.stream import Inexact, RefreshOutcome, Stream
from trickle import Frontier, state_check
from trickle.apply.steps import Kind, Write
from trickle.plan.instant import Instants
from trickle.planning.instants import AsOf

CASES = Path(__file__).parents[1] / "cases"
FOLDERS = ("aggregate", "distinct", "keyless", "top_k", "apply", "union_all")


class Checked(Stream):
    """A stream table whose state is checked after every refresh, after what a test does to it."""

    damage = ""

    def refresh(self, now: int, turn: int, all_ways: bool) -> RefreshOutcome:
        done = super().refresh(now, turn, all_ways)
        check = state_check(self.view, self.target, AsOf(Frontier({}), Instants(0, 0, "UTC")))
        if self.damage:
            damage = [Write(Kind.MERGE, self.damage.replace("STORAGE", ".".join(self.target.storage)), "")]
            found = self.ring.attempt(self.target.storage, damage, check)
        else:
            found = self.ring.rows(check)
        if found:
            raise Inexact(str(found))
        return done


def scenarios() -> list[Scenario]:
    """Each case once, without its variants."""
    return [next(read_cases(file)) for folder in FOLDERS for file in sorted((CASES / folder).glob("*.case"))]


@pytest.fixture(scope="module")
def ring() -> DuckRing:
    return DuckRing()


@pytest.mark.parametrize("scenario", scenarios(), ids=lambda scenario: scenario.id)
def test_no_refresh_leaves_a_state_the_check_complains_of(
    scenario: Scenario, ring: DuckRing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever happened to the sources, by whatever strategy."""
    monkeypatch.setattr(stream, "Stream", Checked)

    outcome = run_scenario(scenario, ring, all_ways=False)

    assert outcome.verdict is not Verdict.MISMATCHED, outcome.detail


PLANTED = {
    "groups": (
        "select k, sum(v) as total, avg(v) as mean from t group by k having count(*) > 1",
        [
            ("UPDATE STORAGE SET `__trickle_rows` = -1 WHERE k = 1", "counts that cannot be"),
            ("UPDATE STORAGE SET `__trickle_rows` = 7 WHERE k = 1", "recomputing gives"),
            ("UPDATE STORAGE SET `__trickle_sum_sum` = 99 WHERE k = 1", "recomputing gives"),
            ("UPDATE STORAGE SET total = 99 WHERE k = 1", "does not follow from its own states"),
            ("UPDATE STORAGE SET `__trickle_count` = 1 WHERE k = 2", "does not follow from its own states"),
            ("DELETE FROM STORAGE WHERE k = 1", "recomputing gives, and not stored"),
        ],
    ),
    "rows": (
        "select k, v from t where k > 0",
        [
            ("UPDATE STORAGE SET `__trickle_count` = -1 WHERE k = 2", "counts that cannot be"),
            ("UPDATE STORAGE SET `__trickle_count` = 2 WHERE k = 2", "stored, and not what recomputing gives"),
            ("UPDATE STORAGE SET v = 0 WHERE k = 2", "recomputing gives"),
        ],
    ),
    "top": (
        "select k, v from t order by k, v limit 2",
        [
            ("UPDATE STORAGE SET `__trickle_known` = 7", "counts that cannot be"),
            ("UPDATE STORAGE SET `__trickle_rows` = 3 WHERE k = 2", "recomputing gives"),
            ("UPDATE STORAGE SET `__trickle_count` = 1 WHERE k = 2", "does not follow from its own states"),
            ("DELETE FROM STORAGE WHERE k = 1 AND v = 10", "recomputing gives"),
        ],
    ),
    "series": (
        "select k, v, rank() over (order by v desc) as place from t where k > 0 qualify place > 1",
        [
            ("UPDATE STORAGE SET `__trickle_twin` = 0 WHERE k = 2", "counts that cannot be"),
            ("UPDATE STORAGE SET place = 9 WHERE k = 2", "stored, and not what recomputing gives"),
            ("UPDATE STORAGE SET `__trickle_count` = 0 WHERE k = 2", "recomputing gives"),
            ("DELETE FROM STORAGE WHERE v = 30", "recomputing gives, and not stored"),
        ],
    ),
}


@pytest.mark.parametrize(
    ("query", "damage", "problem"),
    [(query, damage, problem) for query, planted in PLANTED.values() for damage, problem in planted],
)
def test_a_planted_wrong_state_is_found(query: str, damage: str, problem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is found, and called what it is."""
    case = f"""# a state is damaged

table t (k INT, v INT)
    (1, 10)
    (1, 20)
    (2, 5)

view m
    {query}

step
    INSERT INTO t VALUES (1, 30)
"""
    (scenario,) = parse_case(Path("planted.case"), case)
    monkeypatch.setattr(stream, "Stream", Checked)
    assert run_scenario(scenario, DuckRing(), all_ways=False).verdict is Verdict.EXACT

    monkeypatch.setattr(Checked, "damage", damage)
    outcome = run_scenario(scenario, DuckRing(), all_ways=False)

    assert outcome.verdict is Verdict.MISMATCHED
    assert problem in outcome.detail
