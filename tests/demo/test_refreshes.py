"""The table that the demo prints after each run."""

from __future__ import annotations

from typing import Any

from shopkeeper.refreshes import WIDTH, fold, heading, lines, refreshed

MERGED: dict[str, Any] = {
    "name": "sales",
    "status": "success",
    "materialized": "stream_table",
    "seconds": 1.84,
    "response": {
        "action": "INCREMENTAL",
        "strategy": "recount",
        "reason": "Maintaining costs less than recomputing: 1.8 s by recount against 2.6 s in full.",
        "rows_inserted": 1204.0,
        "rows_updated": 0.0,
        "rows_deleted": 96.0,
        "prices": {"recount": 1.8, "full": 2.6},
        "sources": [
            {"source": "shop.order_lines", "before": 3.0, "after": 4.0},
            {"source": "shop.orders", "before": 3.0, "after": 5.0},
            {"source": "shop.products", "before": 2.0, "after": 2.0},
        ],
    },
}


def test_a_line_says_what_was_done() -> None:
    """Model, action, rows, seconds, the price of recomputing, and the sources that moved."""
    numbers, reason = lines(refreshed(MERGED))

    assert numbers.split() == [
        *("sales", "INCREMENTAL", "+1", "204", "−96"),
        *("1.8", "2.6", "order_lines", "3→4,", "orders", "3→5"),
    ]
    assert reason.strip() == f"by recount: {MERGED['response']['reason']}"


def test_columns_stand_under_their_headings() -> None:
    """The eye finds a number where the heading says."""
    numbers, *_ = lines(refreshed(MERGED))

    assert numbers.index("INCREMENTAL") == heading().index("action")
    assert numbers.index("order_lines") == heading().index("versions")
    assert numbers.index("1.8") + len("1.8") == heading().index("seconds") + len("seconds")
    assert numbers.index("2.6") + len("2.6") == heading().index("in full") + len("in full")


def test_a_refresh_without_work_shows_dots() -> None:
    """NO_DATA wrote nothing, weighed nothing and read nothing."""
    response = {"action": "NO_DATA", "reason": "No source changed.", "rows_inserted": 0.0, "sources": [], "prices": {}}
    numbers, reason = lines(refreshed({**MERGED, "seconds": 0.03, "response": response}))

    assert numbers.split() == ["sales", "NO_DATA", "·", "0.0", "·", "·"]
    assert reason.strip() == "No source changed."


def test_a_first_build_shows_the_versions_it_read() -> None:
    """There is no version before the first; a stream table goes by its own name, not by its storage's."""
    sources = [{"source": "analytics.sales__trickle", "before": None, "after": 0.0}]
    row = refreshed({**MERGED, "response": {**MERGED["response"], "sources": sources}})

    assert row.versions == ("sales 0",)


def test_nothing_is_wider_than_the_console() -> None:
    """Many sources and long reasons are folded, not cut."""
    sources = [{"source": f"shop.table_number_{place}", "before": 1.0, "after": 20.0} for place in range(9)]
    response = {**MERGED["response"], "sources": sources, "reason": "because " * 40}
    shown = lines(refreshed({**MERGED, "response": response}))

    assert max(len(line) for line in shown) <= WIDTH
    assert all(any(f"table_number_{place} 1→20" in line for line in shown) for place in range(9))
    assert sum(line.count("because") for line in shown) == 40


def test_a_word_that_does_not_fit_is_kept() -> None:
    """Folding breaks between words only."""
    assert fold(["a", "much-too-long", "b"], 5, " ") == ["a", "much-too-long", "b"]
    assert fold(["a", "b", "much-too-long"], 5) == ["a, b,", "much-too-long"]
