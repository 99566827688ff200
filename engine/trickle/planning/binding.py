"""binding_for: how every leaf of a refresh is read, and what is known of its size."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from trickle.apply.target import Target, stored_rows
from trickle.catalog.extent import fits_one_task
from trickle.catalog.probe import Probe
from trickle.catalog.reads import with_previous_columns
from trickle.catalog.source_files import changes_in
from trickle.catalog.tables import Source
from trickle.plan.instant import Clock
from trickle.plan.row_counts import RowCounts
from trickle.planning.compile import CompiledView
from trickle.planning.named_files import by_files_or_version, name_of_files
from trickle.planning.pinned_text import pinned_now
from trickle.render.reads import Binding, Reads
from trickle.render.small import FEW_ROWS
from trickle.sql.build import named_columns

SMALL_TABLE = 100_000
"""Rows up to which a table is worth broadcasting …"""
SMALL_FEED_BYTES = 8 * 1024 * 1024
"""… or a feed of few rows, if they take no more than this in the source's files: ten times as much in memory."""


def binding_for(view: CompiledView, target: Target, probes: Mapping[str, Probe], clock: Clock) -> Binding:
    """How every leaf of this refresh is read."""
    sources = {
        source.name: _reads(number, source, probes[source.name]) for number, source in enumerate(view.sources, 1)
    }
    stored = exp.Subquery(this=stored_rows(target, view.columns.names))
    result = named_columns(pinned_now(view, probes, clock), "result", view.columns.names)
    recomputed = exp.Subquery(this=exp.Select(expressions=[exp.Star()]).from_(result, copy=False))
    statistics = {source.name: probes[source.name].statistics for source in view.sources}
    stored_fits = fits_one_task(target.rows, target.bytes, target.files)
    instants = clock if view.clock_calls else None
    inner = view.layout.inner_relations(target)
    return Binding(sources, stored, recomputed, statistics, stored_fits, row_counts(probes), instants, inner)


def _reads(number: int, source: Source, probe: Probe) -> Reads:
    """How a source is read, by its number in the view."""
    files, changes = probe.files, probe.changes
    after = by_files_or_version(source.relation, files.now, name_of_files(number, "now"), probe.now.version)
    small_table, one_task = _is_small_table(probe), _table_in_one_task(probe)
    if changes is None:
        # Also after maintenance: the old version's files may be vacuumed although no row changed.
        return Reads(after, after, small_table=small_table, table_in_one_task=one_task)
    relation = with_previous_columns(source.relation, changes)
    change = name_of_files(number, "change")
    return Reads(
        after,
        by_files_or_version(relation, files.before, name_of_files(number, "before"), changes.since.version),
        changes.relation(relation, probe.statistics)
        if files.change is None
        else changes_in(relation, change, files.change.signed),
        small=_worth_broadcasting(probe),
        small_table=small_table,
        feed_in_one_task=fits_one_task(probe.volume.rows, probe.volume.bytes, probe.volume.files),
        table_in_one_task=one_task,
    )


def row_counts(probes: Mapping[str, Probe]) -> RowCounts:
    """Rows of the sources whose history counts them."""
    tables = {name: probe.size.rows for name, probe in probes.items() if probe.size.rows}
    return RowCounts(tables, {name: probe.volume.rows for name, probe in probes.items() if name in tables})


def _worth_broadcasting(probe: Probe) -> bool:
    """Every task gets a copy, in memory and unpacked: few rows are not enough when they are wide."""
    changed, size = probe.volume.rows, probe.size
    packed = changed * size.bytes / size.rows if size.rows else 0.0
    return changed <= FEW_ROWS and packed <= SMALL_FEED_BYTES


def _is_small_table(probe: Probe) -> bool:
    return 0 < probe.size.rows <= SMALL_TABLE and probe.size.bytes <= SMALL_FEED_BYTES


def _table_in_one_task(probe: Probe) -> bool:
    return fits_one_task(probe.size.rows, probe.size.bytes, probe.size.files)
