"""What the tests of the command line have in common: a terminal that is wide, whoever runs them."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """pytest's own workers tell programs of 80 columns; a test about width says its own."""
    monkeypatch.setenv("COLUMNS", "200")
