"""What fits one task is written, and said, to be one task's; anything bigger is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.facts import compiled
from tests.snapshots.shop import CONTRACT, last_stamp, probes, resolve
from trickle import Options, RefreshMode, Request, Target, plan_refresh
from trickle.apply.price import Rates
from trickle.apply.steps import Write
from trickle.catalog.extent import ROWS
from trickle.catalog.happened import Changed
from trickle.catalog.probe import Volume

TOTALS = "SELECT customer_id, SUM(amount) AS total FROM shop.orders GROUP BY customer_id"


def statement(stored: int, changed: int) -> Write:
    """The overwrite of a grouping, on a warehouse where nothing is cheaper."""
    view = compiled(TOTALS, resolve, None, Options(refresh_mode=RefreshMode.INCREMENTAL))
    target = Target(("shop", "totals"), ("shop", "totals__trickle"), rows=stored, bytes=stored, files=1, exists=True)
    seen = {
        name: replace(probe, volume=Volume(added=changed, bytes=changed, files=1))
        for name, probe in probes(view, {"shop.orders": Changed}).items()
    }
    request = Request("model.shop.totals", 2_000, CONTRACT, rates=Rates(merge=1e6))
    plan = plan_refresh(view, target, last_stamp(view), seen, request)
    assert plan.strategy == "overwrite"
    (write,) = plan.writes
    assert isinstance(write, Write)
    return write


def test_a_small_overwrite_is_one_task_s() -> None:
    """The stored rows and the change are brought together where they are: hinted, and told to whoever runs it."""
    small = statement(stored=100, changed=10)

    assert small.planned_once
    assert "COALESCE(1)" in small.sql


@pytest.mark.parametrize(("stored", "changed"), [(ROWS + 1, 10), (100, ROWS + 1)])
def test_a_big_side_keeps_every_core_at_work(stored: int, changed: int) -> None:
    """One side that is big makes the whole statement so: Spark goes on planning it as it learns."""
    assert not statement(stored, changed).planned_once
