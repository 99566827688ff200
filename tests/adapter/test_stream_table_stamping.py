"""The stamp reaches exactly one commit, and two runs never both count."""

from __future__ import annotations

from pathlib import Path

import pytest
from dbt_common.exceptions import DbtRuntimeError

from dbt.adapters.trickle.refreshing.stamping import stamping, verify_commit
from tests.adapter.house import House
from tests.adapter.recording_session import RecordingSession


def test_the_stamp_is_gone_after_a_failure(tmp_path: Path) -> None:
    """Whatever happens inside, the next statement on the connection carries no stamp."""
    session = RecordingSession()
    stamp = House(tmp_path).decide().stamp

    def fail() -> None:
        with session.with_settings(stamping(stamp)):
            assert len(session.values) == 3
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert session.values == {}


def test_our_own_commit_is_accepted(tmp_path: Path) -> None:
    """The commit with this attempt's stamp is what the report counts."""
    house = House(tmp_path)
    decision = house.decide()
    house.build(decision)

    committed = verify_commit(decision, decision.plan)

    assert committed is not None
    assert committed.commit.version == 0


def test_a_faster_run_is_said(tmp_path: Path) -> None:
    """Delta passes over a transaction number it has seen: the statement succeeds and writes nothing."""
    house = House(tmp_path)
    house.build(house.decide())
    house.source.append("f2")
    slower, faster = house.decide(), house.decide()
    assert faster.stamp is not None
    object.__setattr__(faster.stamp, "extra", {**faster.stamp.extra, "invocation": "run-2"})
    house.build(faster)

    with pytest.raises(DbtRuntimeError, match="at the same time"):
        verify_commit(slower, slower.plan)


def test_a_writer_in_between_is_said(tmp_path: Path) -> None:
    """Its rows were not part of the plan: fail now, and rebuild on the next run."""
    house = House(tmp_path)
    house.build(house.decide())
    house.source.append("f2")
    decision = house.decide()
    house.storage.append("foreign")
    house.build(decision)

    with pytest.raises(DbtRuntimeError, match="by somebody else"):
        verify_commit(decision, decision.plan)
    assert house.decide().plan.reason.code == "storage_changed"
