"""What people decided about tables, kept in small files that no run of dbt has to be asked for."""

from __future__ import annotations

from pathlib import Path

from dbt.adapters.trickle.scheduling.suspensions import NONE, Ruling, Suspensions


def test_the_last_word_counts(tmp_path: Path) -> None:
    """By table, whatever the case of its name; what was taken back leaves no file."""
    rulings = Suspensions(tmp_path / "rulings")
    rulings.decide("Shop", "Orders", Ruling(5, "three"))
    kept = rulings.of("shop", "orders")
    rulings.hold_against("shop", "orders")
    held = rulings.of("shop", "orders")
    rulings.decide("shop", "orders", NONE)

    assert (kept, held, rulings.of("shop", "orders")) == (Ruling(5, "three"), Ruling(5), NONE)
    assert not list((tmp_path / "rulings" / "shop").iterdir())
    assert rulings.of("shop", "totals") == NONE


def test_a_word_that_cannot_be_read_suspends(tmp_path: Path) -> None:
    """Somebody said something: until it is said again, the table stays as it is."""
    rulings = Suspensions(tmp_path)
    (tmp_path / "shop").mkdir()
    for text in ("{", "[]", '{"suspended_since": "soon", "forgiven": ""}', '{"forgiven": ""}'):
        (tmp_path / "shop" / "orders.json").write_text(text)
        assert rulings.of("shop", "orders").suspended_since is not None
    rulings.decide("shop", "orders", NONE)
    assert rulings.of("shop", "orders") == NONE
