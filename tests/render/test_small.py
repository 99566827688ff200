"""Which reads are hinted into one task: all of a grouping's inputs, or none of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.facts import compiled
from tests.snapshots.shop import CLOCK, probes, resolve
from trickle import CompiledView, Probe, Target
from trickle.apply.state_changes import changes_of_state
from trickle.catalog.extent import BYTES, FILES, ROWS, fits_one_task
from trickle.catalog.happened import Changed
from trickle.catalog.probe import TableSize, Volume
from trickle.delta.differentiate import SourceChange
from trickle.delta.passes import change_to_apply
from trickle.layouts.groups import Groups
from trickle.planning.binding import binding_for
from trickle.render.render import render
from trickle.render.small import in_one_task
from trickle.sql.text import to_text

TOTALS = (
    "SELECT country, SUM(amount) AS total FROM shop.orders JOIN shop.customers USING (customer_id) GROUP BY country"
)
HINT = "COALESCE(1)"


def sized(probe: Probe, changed: int, rows: int) -> Probe:
    return replace(probe, volume=Volume(added=changed, bytes=changed, files=1), size=TableSize(rows, rows, 1))


def change_of_states(changed: int, rows: int) -> tuple[str, bool]:
    """The SQL of what the states gain and lose, and whether all of it is one task's."""
    view: CompiledView = compiled(TOTALS, resolve)
    target = Target(("shop", "totals"), ("shop", "totals__trickle"), rows=100, exists=True)
    seen = {name: sized(probe, changed, rows) for name, probe in probes(view, {"shop.orders": Changed}).items()}
    sources = {name: SourceChange() for name, probe in seen.items() if probe.changes is not None}
    assert isinstance(view.layout, Groups)
    change = change_to_apply(view.maintained, sources, {})
    moved = changes_of_state(change.delta, view.layout)
    binding = binding_for(view, target, seen, CLOCK)
    return to_text(render(moved, binding)), id(moved) in in_one_task(moved, binding)


def test_small_reads_are_one_task_s() -> None:
    """A small change of a small table: every relation is hinted, so that joining and grouping shuffle nothing."""
    sql, whole = change_of_states(changed=10, rows=1_000)

    assert whole
    assert sql.count(HINT) == 2


def test_a_big_table_is_read_by_every_core() -> None:
    """The hint stays on the change; the join with a big table is no longer one task's."""
    sql, whole = change_of_states(changed=10, rows=ROWS + 1)

    assert not whole
    assert sql.count(HINT) == 1


@pytest.mark.parametrize(
    ("rows", "size", "files", "fits"),
    [
        (ROWS, BYTES, FILES, True),
        (ROWS + 1, BYTES, FILES, False),
        (ROWS, BYTES + 1, FILES, False),
        (ROWS, BYTES, FILES + 1, False),
        (0, 0, 1, False),
        (1, 1, 0, False),
    ],
)
def test_what_fits_one_task(rows: int, size: int, files: int, fits: bool) -> None:
    """Few rows, bytes and files; what a log does not tell does not fit."""
    assert fits_one_task(rows, size, files) is fits
