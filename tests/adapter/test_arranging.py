"""Arrangements of a model as the adapter decides them: when, under which names, and what a stamp says of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dbt.adapters.trickle.catalog.source_catalog import SourceCatalog
from dbt.adapters.trickle.history.delta_files import DeltaLog, StampedCommit
from dbt.adapters.trickle.names import PART
from dbt.adapters.trickle.options import read_config
from dbt.adapters.trickle.refreshing.arranging import (
    FINGERPRINT,
    arrangement_of,
    as_stored,
    hidden_model,
    note_on,
    positions_below,
    with_below,
    without,
)
from dbt.adapters.trickle.storages.arrangements import arrangements_in, is_part_of
from dbt.adapters.trickle.storages.location import LONGEST_NAME
from dbt.adapters.trickle.storages.storage_state import State
from tests.facts import compiled
from tests.snapshots.shop import last_stamp, resolve
from trickle import Frontier, SourcePosition, Stamp
from trickle.planning.arrange import Arranged

NESTED = """
SELECT n, COUNT(*) AS customers
FROM (SELECT customer_id, COUNT(*) AS n FROM shop.orders GROUP BY customer_id) GROUP BY n
"""
MODEL = ("shop", "sizes")
ROOT = Path("/nowhere")
AT = SourcePosition("orders", 7, 1_000)


class NoCatalog(SourceCatalog):
    """Nothing may be asked of it."""

    def __init__(self) -> None:
        pass


def over(text: str = NESTED, stamp: Stamp | None = None, rebuilds: bool = False, **config: Any) -> Arranged | None:
    settings = read_config({"arrangements": "always", **config})
    stamped = None if stamp is None else StampedCommit(stamp, None)  # type: ignore[arg-type]
    state = State(DeltaLog(ROOT), stamped, None, None)
    view = compiled(text, resolve, options=settings.engine)
    return arrangement_of(MODEL, settings, state, view, NoCatalog(), rebuilds)


def test_a_grouping_inside_the_query_is_named_after_the_model() -> None:
    """By a fingerprint of what it is."""
    arranged = over()

    assert arranged is not None
    (part,) = arranged.arrangements
    assert is_part_of(part.name, MODEL) and not is_part_of(part.name, ("shop", "other"))
    assert not is_part_of(part.name, ("other", "sizes"))


@pytest.mark.parametrize(
    "config",
    [
        {"arrangements": "none"},
        {"refresh_mode": "full"},
        {"float_sums": "fast"},
        {"on_configuration_change": "continue"},
    ],
)
def test_where_none_is_made(config: dict[str, str]) -> None:
    """Where the user says so, nothing is maintained, or the SELECT as written could not be compared."""
    assert over(**config) is None


def test_none_is_made_over_a_table_without_versions() -> None:
    """It would be made anew at every run."""
    text = "SELECT n, COUNT(*) FROM (SELECT currency, COUNT(*) AS n FROM shop.rates_csv GROUP BY 1) GROUP BY n"

    assert over(text) is None


def test_a_table_stays_as_it_was_built() -> None:
    """Over its sources until it is built anew; over its arrangements although auto would make none today."""
    view = compiled(NESTED, resolve)
    arranged = over()
    assert arranged is not None
    plain = replace(last_stamp(view), definition=view.definition)
    read = ".".join(arranged.arrangements[0].name)
    built = replace(plain, definition="of the query over it", frontier=Frontier({read: AT}))

    assert over(stamp=plain) is None
    assert over(stamp=plain, rebuilds=True) == arranged
    assert over(stamp=built, arrangements="auto") == arranged
    assert as_stored(view, MODEL, built) == arranged
    assert as_stored(view, MODEL, plain) is None


def test_a_stamp_says_what_was_read_through_arrangements() -> None:
    """So that a test can compare the rows with the SELECT as written."""
    stamp = last_stamp(compiled(NESTED, resolve))
    part = "shop.sizes__part_1a2b"
    direct = Frontier({"shop.customers": AT, part: AT}, 5)
    read = replace(stamp, frontier=direct, extra=positions_below({"shop.orders": AT}))

    assert with_below(read) == Frontier({"shop.orders": AT, "shop.customers": AT, part: AT}, 5)
    assert with_below(replace(read, extra=positions_below({}))) == direct
    assert arrangements_in(read, MODEL) == [("shop", "sizes__part_1a2b")]
    assert arrangements_in(None, MODEL) == []


def test_an_arrangement_has_nothing_of_the_users() -> None:
    """But where it lies, how long it lasts, and how it is refreshed."""
    model = {
        "name": "sizes",
        "unique_id": "model.shop.sizes",
        "columns": {"n": {"description": "how many"}},
        "constraints": [{"type": "check"}],
        "config": {"location_root": "/d", "refresh_mode": "auto", "unique_key": None, "schedule": "1h", "meta": {}},
    }
    hidden = hidden_model(model)

    assert hidden["config"] == {"location_root": "/d", "refresh_mode": "auto", "arrangements": "none"}
    assert (hidden["columns"], hidden["constraints"], hidden["unique_id"]) == ({}, [], "model.shop.sizes")


def test_a_name_that_leaves_no_room_for_a_fingerprint() -> None:
    """The storage's name is a folder's, which has an end."""
    settings = read_config({"arrangements": "always"})
    state, view = State(DeltaLog(ROOT), None, None, None), compiled(NESTED, resolve)
    most = LONGEST_NAME - FINGERPRINT - len(PART)

    assert arrangement_of(("shop", "x" * most), settings, state, view, NoCatalog(), False) is not None
    assert arrangement_of(("shop", "x" * (most + 1)), settings, state, view, NoCatalog(), False) is None


def test_the_note_on_one_that_failed_has_the_first_line_of_why() -> None:
    """Without dbt's headline."""
    arranged = over()
    assert arranged is not None
    note = without(arranged, "Database Error in model sizes\n  [CAST_INVALID_INPUT] no number\n  more")

    assert note.sentence().startswith("Reads its sources, because sizes__part_")
    assert "cannot be stored: [CAST_INVALID_INPUT] no number" in note.sentence() and "more" not in note.message


def test_the_note_says_what_its_refresh_did() -> None:
    """And how long that took."""
    done = note_on(("s", "m__part_1"), "INCREMENTAL", "append_groups", 0.44)
    quiet = note_on(("s", "m__part_1"), "NO_DATA", "none", 0.01)

    assert done.sentence().endswith("of its own: INCREMENTAL by append_groups, 0.4 s.")
    assert quiet.sentence().endswith("of its own: NO_DATA, 0.0 s.")
