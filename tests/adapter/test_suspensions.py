"""Suspensions by hand are stored in small files, without a run of dbt."""

from __future__ import annotations

from pathlib import Path

from dbt.adapters.trickle.scheduling.suspensions import NONE, Suspension, Suspensions


def test_the_last_decision_counts(tmp_path: Path) -> None:
    """The last decision per table is read, whatever the case of its name; ending a suspension leaves no file."""
    suspensions = Suspensions(tmp_path / "rulings")
    suspensions.write("Shop", "Orders", Suspension(5, "three"))
    written = suspensions.of("shop", "orders")
    suspensions.revoke_forgiveness("shop", "orders")
    revoked = suspensions.of("shop", "orders")
    suspensions.write("shop", "orders", NONE)

    assert (written, revoked, suspensions.of("shop", "orders")) == (Suspension(5, "three"), Suspension(5), NONE)
    assert not list((tmp_path / "rulings" / "shop").iterdir())
    assert suspensions.of("shop", "totals") == NONE


def test_an_unreadable_decision_suspends(tmp_path: Path) -> None:
    """A table whose file cannot be read counts as suspended until the next decision."""
    suspensions = Suspensions(tmp_path)
    (tmp_path / "shop").mkdir()
    for text in ("{", "[]", '{"suspended_since": "soon", "forgiven": ""}', '{"forgiven": ""}'):
        (tmp_path / "shop" / "orders.json").write_text(text)
        assert suspensions.of("shop", "orders").suspended_since is not None
    suspensions.write("shop", "orders", NONE)
    assert suspensions.of("shop", "orders") == NONE
