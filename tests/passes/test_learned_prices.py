"""learned: what a refresh teaches about the prices of the next."""

from __future__ import annotations

from dataclasses import replace

import pytest

from trickle import Frontier, Stamp
from trickle.planning.learned_prices import (
    AT_MOST,
    CREATE,
    DOUBTED,
    ESTIMATED,
    FULL,
    LEARNED,
    MOST,
    NARROWEST,
    SINCE,
    WIDEST,
    learned,
    times_its_estimate,
)

STAMP = Stamp("m", 1, "INCREMENTAL", "few_changes", "merge_by_key", "", {}, Frontier({}), 0, "0.2")


def stamp(estimated: object, known: object = None, action: str = "INCREMENTAL") -> Stamp:
    extra = {ESTIMATED: estimated, **({} if known is None else {LEARNED: known})}
    return replace(STAMP, action=action, extra=extra)


def test_the_first_refresh_by_a_strategy_is_believed() -> None:
    """How many times its estimate it took."""
    assert learned(stamp(2.0), 1.0) == {"merge_by_key": 0.5}
    assert learned(stamp(2.0, {FULL: 0.4}), 1.0) == {FULL: 0.4, "merge_by_key": 0.5}


@pytest.mark.parametrize("strategy", ["overwrite_all", "recount"])
def test_whatever_computes_everything_anew_is_one_strategy(strategy: str) -> None:
    """How its rows are written matters little beside that."""
    assert learned(replace(stamp(4.0, action="FULL"), strategy=strategy), 2.0) == {FULL: 0.5}


@pytest.mark.parametrize("action", ["FULL", "REINITIALIZE"])
def test_a_first_build_teaches_what_recomputing_costs_at_most(action: str) -> None:
    """Its process may have had to warm up: it is believed less after each refresh, until recomputing was tried once."""
    built = learned(replace(stamp(4.0, action=action), strategy=CREATE), 2.0)
    assert built == {CREATE: 0.5, SINCE: 0.0}
    assert times_its_estimate(FULL, built) == times_its_estimate("merge_by_key", built) == 0.5

    later = built
    for refreshes in range(1, 2 * AT_MOST):
        later = learned(stamp(2.0, later), 1.0)
        assert times_its_estimate(FULL, later) == pytest.approx(0.5 * DOUBTED ** min(refreshes, AT_MOST))
    assert times_its_estimate("merge_by_key", later) == 0.5

    tried = learned(replace(stamp(4.0, later, action="FULL"), strategy="overwrite_all"), 1.2)
    assert tried == {FULL: 0.3, "merge_by_key": 0.45}
    assert learned(replace(stamp(4.0, tried, action="FULL"), strategy=CREATE), 9.0) == tried


def test_a_faster_refresh_is_believed_and_a_slower_one_little_by_little() -> None:
    """The first refresh of a process pays for warming up; nothing makes a refresh faster than it is."""
    assert learned(stamp(2.0, {"merge_by_key": 0.5}), 0.5) == {"merge_by_key": 0.25}
    assert learned(stamp(2.0, {"merge_by_key": 0.5}), 1.2) == {"merge_by_key": 0.53}
    assert learned(stamp(2.0, {"merge_by_key": 0.5}), 30.0) == {"merge_by_key": 0.5 * MOST}


def test_a_strategy_that_does_not_run_is_forgiven() -> None:
    """It was slow in a process that had to warm up, perhaps; what was faster than estimated stays so."""
    known = {"recount": 2.0, "append": 0.42, "overwrite": 0.3, FULL: 0.4}

    assert learned(stamp(2.0, known), 1.0) == {**known, "recount": 1.8, "append": 0.4, "merge_by_key": 0.5}
    assert learned(stamp(2.0, {"recount": 1.05}), 2.0) == {"recount": 1.0, "merge_by_key": 1.0}


def test_what_cannot_be_a_measurement_teaches_nothing() -> None:
    """A stamp of an older release, a clock that was set back; and bounds for everything else."""
    assert learned(replace(STAMP, extra={}), 1.0) == {}
    assert learned(stamp("2.0"), 1.0) == {}
    assert learned(stamp(2.0), -1.0) == {}
    assert learned(stamp(2.0, "nothing"), 2.0) == {"merge_by_key": 1.0}
    assert learned(stamp(2.0, {FULL: "x", "append": 0}), 2.0) == {"merge_by_key": 1.0}
    assert learned(stamp(1.0), 10_000.0) == {"merge_by_key": WIDEST}
    assert learned(stamp(1_000.0), 0.001) == {"merge_by_key": NARROWEST}
