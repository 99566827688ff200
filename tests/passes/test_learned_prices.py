"""learned: what a refresh teaches about the prices of the next."""

from __future__ import annotations

from dataclasses import replace

import pytest

from trickle import Frontier, Stamp
from trickle.planning.learned_prices import ESTIMATED, FULL, LEARNED, NARROWEST, WIDEST, learned

STAMP = Stamp("m", 1, "INCREMENTAL", "few_changes", "merge_by_key", "", {}, Frontier({}), 0, "0.2")


def stamp(estimated: object, known: object = None, action: str = "INCREMENTAL") -> Stamp:
    extra = {ESTIMATED: estimated, **({} if known is None else {LEARNED: known})}
    return replace(STAMP, action=action, extra=extra)


def test_the_first_refresh_by_a_strategy_is_believed() -> None:
    """How many times its estimate it took."""
    assert learned(stamp(2.0), 1.0) == {"merge_by_key": 0.5}
    assert learned(stamp(2.0, {FULL: 0.4}), 1.0) == {FULL: 0.4, "merge_by_key": 0.5}


@pytest.mark.parametrize("action", ["FULL", "REINITIALIZE"])
def test_whatever_computes_everything_is_one_strategy(action: str) -> None:
    """A first build teaches what recomputing costs."""
    assert learned(stamp(4.0, action=action), 2.0) == {FULL: 0.5}


def test_a_faster_refresh_is_believed_and_a_slower_one_little_by_little() -> None:
    """The first refresh of a process pays for warming up; nothing makes a refresh faster than it is."""
    assert learned(stamp(2.0, {"merge_by_key": 0.5}), 0.5) == {"merge_by_key": 0.25}
    assert learned(stamp(2.0, {"merge_by_key": 0.5}), 3.0) == {"merge_by_key": 0.8}


def test_a_strategy_that_does_not_run_is_forgiven() -> None:
    """It was slow in a process that had to warm up, perhaps; what was faster than estimated stays so."""
    known = {"recount": 2.0, "append": 1.05, FULL: 0.4}

    assert learned(stamp(2.0, known), 1.0) == {"recount": 1.8, "append": 1.0, FULL: 0.4, "merge_by_key": 0.5}


def test_what_cannot_be_a_measurement_teaches_nothing() -> None:
    """A stamp of an older release, a clock that was set back; and bounds for everything else."""
    assert learned(replace(STAMP, extra={}), 1.0) == {}
    assert learned(stamp("2.0"), 1.0) == {}
    assert learned(stamp(2.0), -1.0) == {}
    assert learned(stamp(2.0, "nothing"), 2.0) == {"merge_by_key": 1.0}
    assert learned(stamp(2.0, {FULL: "x", "append": 0}), 2.0) == {"merge_by_key": 1.0}
    assert learned(stamp(1.0), 10_000.0) == {"merge_by_key": WIDEST}
    assert learned(stamp(1_000.0), 0.001) == {"merge_by_key": NARROWEST}
