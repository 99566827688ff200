"""Spark plans once what one task does, and as the user said before and after."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from dbt.adapters.trickle.refreshing.planned_once import ADAPTIVE, planned_once


@dataclass
class Session:
    confs: dict[str, str] = field(default_factory=lambda: {ADAPTIVE: "as the user said"})

    def conf(self, key: str) -> str:
        return self.confs[key]

    def set_conf(self, key: str, value: str) -> None:
        self.confs[key] = value


def test_one_task_is_planned_once() -> None:
    """Nothing is planned again, whatever the profile says."""
    session = Session()

    with planned_once(session, one_task=True):
        assert session.confs == {ADAPTIVE: "false"}


def test_anything_else_is_left_alone() -> None:
    session = Session()

    with planned_once(session, one_task=False):
        assert session.confs == {ADAPTIVE: "as the user said"}


def test_the_setting_comes_back_when_the_statement_fails() -> None:
    session = Session()

    with pytest.raises(ValueError, match="no"), planned_once(session, one_task=True):
        raise ValueError("no")

    assert session.confs == {ADAPTIVE: "as the user said"}
