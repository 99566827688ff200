"""Law: how often a view is refreshed does not matter. d1 then d2 is d1 + d2."""

from __future__ import annotations

from tests.laws import on_storage
from tests.laws.examples import ON_DUCKDB, for_all
from tests.oracle.generate_data import World
from tests.oracle.generate_plans import Example, stories


@for_all(stories(), cost=2 * ON_DUCKDB)
def test_two_refreshes_leave_what_one_does(story: tuple[Example, World]) -> None:
    """Rows and state are those of a single refresh over both changes."""
    on_storage.two_refreshes_are_one(*story)
