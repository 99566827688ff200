"""What dbt's user sees of a refresh under way, and what is done on disk after a DROP."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dbt.adapters.trickle.methods.watching import RefreshWatcher
from dbt.adapters.trickle.refreshing.refresh import Refresh, refresh_of
from tests.adapter.house import House
from trickle.apply.steps import Drop, Kind, Write


@pytest.fixture
def house(tmp_path: Path) -> House:
    found = House(tmp_path)
    found.build(found.decide())
    return found


def watched(refresh: Refresh) -> tuple[RefreshWatcher, list[str], list[str]]:
    """The watcher, the texts written to target/run, and the names of dropped tables that dbt is to forget."""
    written: list[str] = []
    dropped: list[str] = []
    watcher = RefreshWatcher(refresh, written.append, lambda: dropped.append(str(refresh.decision.relation)))
    return watcher, written, dropped


def test_the_script_ends_with_what_runs(house: House) -> None:
    """Why the refresh does what it does, then each statement before it runs."""
    house.source.append("f2")
    refresh = refresh_of(house.decide())
    watcher, written, _ = watched(refresh)

    watcher.begin(refresh)
    watcher.announce(Write(Kind.APPEND, "INSERT INTO s.m__trickle …", "apply the change by append"), "INSERT …\n")
    watcher.announce(Drop(("s", "m"), "the model was a table"), "DROP TABLE IF EXISTS s.m")

    headline = f"-- {refresh.plan.action.value} ({refresh.plan.reason.code}): "
    assert refresh.script.startswith(headline)
    assert [text.count(";\n") for text in written] == [1, 2]
    assert written[-1].startswith(headline)
    assert written[-1].endswith(
        "-- apply the change by append\nINSERT …;\n\n-- the model was a table\nDROP TABLE IF EXISTS s.m;\n"
    )


@pytest.mark.parametrize("damaged", [True, False])
def test_only_a_dropped_storage_with_a_damaged_log_is_cleared_away(house: House, damaged: bool) -> None:
    """DROP TABLE leaves the files of a log that Delta cannot read; those of any other table are its own affair."""
    decision = replace(house.decide(), log_damaged=damaged)
    watcher, _, dropped = watched(refresh_of(decision))

    watcher.finish(Drop(decision.target.facade, "the model was a table"))
    assert (decision.log.path.is_dir(), dropped) == (True, [str(decision.relation)])
    watcher.finish(Drop(decision.target.storage, "Delta cannot replace it in place"))

    assert decision.log.path.is_dir() != damaged
