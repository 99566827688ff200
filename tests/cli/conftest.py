"""Fixtures of the command line's tests: a wide terminal, wherever they run."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """pytest's workers report 80 columns; a test about the width sets its own."""
    monkeypatch.setenv("COLUMNS", "200")
