"""What a refresh reads by files is decided from the logs, for sessions that can. No Spark."""

from __future__ import annotations

from pathlib import Path

import pytest

from dbt.adapters.trickle.catalog.source_catalog import SourceCatalog
from dbt.adapters.trickle.ports import Capabilities
from tests.adapter.house import House
from trickle import Action, Column, step_sql
from trickle.apply.steps import NameFiles


@pytest.fixture
def built(tmp_path: Path) -> House:
    house = House(tmp_path)
    house.build(house.decide())
    return house


def test_the_sources_files_are_named_and_read(built: House) -> None:
    """Those that the change is in, of the version that is pinned, and no others."""
    built.source.append("f2")

    (named,) = [step for step in built.decide().plan.steps if isinstance(step, NameFiles)]

    assert [Path(path).name for path in named.files.paths] == ["f2"]
    assert named.files.columns == (Column("a", "int"), Column("b", "string"))
    assert named.name in step_sql(built.decide().plan.writes[0])


def test_a_session_that_reads_no_files_names_none(built: House) -> None:
    """A session on another machine may not see them: the source is read from its feed."""
    built.source.append("f2")
    by_files = built.decide().plan
    built.capabilities = Capabilities(reads_files=False)
    by_feed = built.decide().plan

    assert [step.kind for step in by_files.steps] == ["files", "append"]
    assert [step.kind for step in by_feed.steps] == ["append"]
    assert "TABLE_CHANGES(" in step_sql(by_feed.writes[0])
    assert by_feed.temporary_names == ()


def test_an_idle_run_looks_for_no_files(built: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is read, so that no commit is opened to find out how."""
    asked: list[str] = []
    monkeypatch.setattr(SourceCatalog, "with_files", lambda self, probe, physical: asked.append(probe.source) or probe)

    assert built.decide().plan.action is Action.NO_DATA
    assert asked == []
    built.source.append("f2")
    assert built.decide().plan.action is Action.APPEND
    assert asked == ["s.t"]
