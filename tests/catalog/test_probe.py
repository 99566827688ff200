"""What can happen to a source is a closed union: every variant is judged, and not all speak of one format."""

from __future__ import annotations

from typing import get_args

import pytest

from tests.facts import compiled
from tests.snapshots.shop import CONTRACT, last_stamp, resolve
from tests.snapshots.snapshot import TARGET
from trickle import Action, Happened, Probe, Request, SourcePosition, plan_refresh, step_sql
from trickle.catalog.change_sources import AddedFiles, FeedRange
from trickle.catalog.changed_rows import Changes
from trickle.catalog.happened import (
    Altered,
    Appended,
    Changed,
    FeedMissing,
    First,
    HistoryLost,
    MaintenanceOnly,
    NotVersioned,
    Overwritten,
    Recreated,
    Unchanged,
)
from trickle.catalog.probe import TableSize, Volume

BEFORE = SourcePosition("a folder", 7, 1_000)
FED = Changes(BEFORE, FeedRange(8, 9))
JUDGED: tuple[tuple[Happened, Action, str], ...] = (
    (First(), Action.REINITIALIZE, "new_source"),
    (Unchanged(), Action.NO_DATA, "no_source_changed"),
    (MaintenanceOnly(), Action.NO_DATA, "only_maintenance"),
    (Appended(FED), Action.APPEND, "only_added"),
    (Appended(None), Action.FULL, "feed_missing"),
    (Changed(FED), Action.INCREMENTAL, "few_changes"),
    (Overwritten(FED), Action.INCREMENTAL, "few_changes"),
    (Overwritten(None), Action.FULL, "source_replaced"),
    (FeedMissing(), Action.FULL, "feed_missing"),
    (Altered(), Action.FULL, "source_altered"),
    (Recreated(), Action.REINITIALIZE, "source_recreated"),
    (HistoryLost(), Action.FULL, "source_unreadable"),
    (NotVersioned(), Action.FULL, "source_not_versioned"),
)


def planned(happened: Happened) -> tuple[Action, str, str]:
    """Action, reason and SQL of a refresh after this happened to the only source."""
    view = compiled("SELECT order_id, amount FROM shop.orders WHERE status = 'paid'", resolve)
    now = SourcePosition(BEFORE.table_id, 9, 2_000)
    probe = Probe("shop.orders", now, happened, TableSize(10**9), Volume(added=1))
    plan = plan_refresh(view, TARGET, last_stamp(view), {"shop.orders": probe}, Request("m", 2_000, CONTRACT))
    return plan.action, plan.reason.code, " ".join(step_sql(step) for step in plan.steps)


@pytest.mark.parametrize(("happened", "action", "code"), JUDGED, ids=lambda one: type(one).__name__)
def test_everything_that_can_happen_is_judged(happened: Happened, action: Action, code: str) -> None:
    """Each variant leads to its action, for its own reason."""
    assert planned(happened)[:2] == (action, code)


def test_no_variant_is_left_out() -> None:
    """A new variant must be judged here as well."""
    assert {type(happened) for happened, _, _ in JUDGED} == set(get_args(Happened))


def test_a_folder_that_files_are_added_to_is_a_source_of_changes() -> None:
    """No versions, no feed: its changes are the files that came, in the format they have."""
    files = AddedFiles(("/landing/orders/1.json", "/landing/orders/2.json"), "json")

    action, code, sql = planned(Appended(Changes(BEFORE, files)))

    assert (action, code) == (Action.APPEND, "only_added")
    assert "`json`.`/landing/orders/1.json`" in sql and "`json`.`/landing/orders/2.json`" in sql
    assert "VERSION AS OF" not in sql and "TABLE_CHANGES" not in sql
