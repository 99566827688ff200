"""What columns are called where they are stored."""

from __future__ import annotations

import pytest

from trickle.plan.names import UNSTORABLE, shown_name, stored_name

NAMES = (
    *("amount", "sum(x)", "count(1)", "a b", "a.b", "a,b", "100%", "50%25", "x=y;{z}", "tick`", "tab\there"),
    *("__trickle_count", "__TRICKLE_rows", "_change_type", "ä€", "%5F_trickle_count"),
)


@pytest.mark.parametrize("name", NAMES)
def test_a_stored_name_tells_the_users_name(name: str) -> None:
    """Nothing beside the storage needs to remember it."""
    assert shown_name(stored_name(name)) == name


@pytest.mark.parametrize("name", NAMES)
def test_a_stored_name_is_fit_for_delta_and_not_ours(name: str) -> None:
    """Per cent signs are what stands for other characters."""
    stored = stored_name(name)

    assert not (UNSTORABLE - {"%"}) & set(stored)
    assert not stored.lower().startswith(("__trickle_", "_change_type"))


def test_names_that_differ_are_stored_by_names_that_differ() -> None:
    """Also where one looks like the other's stored name."""
    assert len({stored_name(name).lower() for name in NAMES}) == len(NAMES)


def test_an_ordinary_name_stays() -> None:
    """Tables of older versions are not built anew."""
    assert stored_name("order_id.x-y") == "order_id.x-y"
