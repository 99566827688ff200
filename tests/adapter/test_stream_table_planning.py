"""Spark plans once what one task does, and as the user's settings say before and after."""

from __future__ import annotations

import pytest

from dbt.adapters.trickle.refreshing.planned_once import ADAPTIVE, CONSTRAINTS, planned_once
from tests.adapter.recording_session import RecordingSession


def test_one_task_is_planned_once() -> None:
    """Nothing is planned again, whatever the profile says."""
    session = RecordingSession(values={ADAPTIVE: "as the user said"})

    with session.with_settings(planned_once(once=True)):
        assert session.values == {ADAPTIVE: "false", CONSTRAINTS: "false"}


def test_anything_else_is_left_alone() -> None:
    """The user's setting decides where a statement takes more than one task."""
    session = RecordingSession(values={ADAPTIVE: "as the user said"})

    with session.with_settings(planned_once(once=False)):
        assert session.values == {ADAPTIVE: "as the user said"}


def test_the_setting_comes_back_when_the_statement_fails() -> None:
    """A failed statement leaves the connection as it was."""
    session = RecordingSession(values={ADAPTIVE: "as the user said"})

    with pytest.raises(ValueError, match="no"), session.with_settings(planned_once(once=True)):
        raise ValueError("no")

    assert session.values == {ADAPTIVE: "as the user said"}
