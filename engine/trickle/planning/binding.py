"""binding_for: how every leaf of a refresh is read, and what is known of its size."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from trickle.apply.target import Target, stored_rows
from trickle.catalog.extent import fits_one_task
from trickle.catalog.probe import Probe
from trickle.catalog.reads import at_version, with_previous_columns
from trickle.catalog.source_files import changes_in, rows_in
from trickle.plan.instant import Clock
from trickle.plan.row_counts import RowCounts
from trickle.planning.compile import CompiledView
from trickle.planning.named_files import name_of_files
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
    sources: dict[str, Reads] = {}
    for number, source in enumerate(view.sources, 1):
        probe = probes[source.name]
        files = probe.files
        after = at_version(source.relation, probe.now.version)
        if files.now is not None:
            after = rows_in(source.relation, name_of_files(number, "now"))
        changes = probe.changes
        if changes is None:
            # Also after maintenance: the old version's files may be vacuumed although no row changed.
            small_table = _is_small_table(probe)
            one_task = _table_in_one_task(probe)
            sources[source.name] = Reads(after, after, small_table=small_table, table_in_one_task=one_task)
            continue
        relation = with_previous_columns(source.relation, changes)
        before, feed = at_version(relation, changes.since.version), changes.relation(relation, probe.statistics)
        if files.before is not None:
            before = rows_in(relation, name_of_files(number, "before"))
        if files.added is not None:
            feed = changes_in(relation, name_of_files(number, "added"))
        sources[source.name] = Reads(
            after,
            before,
            feed,
            small=_worth_broadcasting(probe),
            small_table=_is_small_table(probe),
            feed_in_one_task=fits_one_task(probe.volume.rows, probe.volume.bytes, probe.volume.files),
            table_in_one_task=_table_in_one_task(probe),
        )
    stored = exp.Subquery(this=stored_rows(target, view.columns.names))
    result = named_columns(pinned_now(view, probes, clock), "result", view.columns.names)
    everything = exp.Select(expressions=[exp.Star()]).from_(result, copy=False)
    statistics = {source.name: probes[source.name].statistics for source in view.sources}
    stored_fits = fits_one_task(target.rows, target.bytes, target.files)
    instants = clock if view.clock_calls else None
    inner = view.layout.inner_relations(target)
    result = exp.Subquery(this=everything)
    return Binding(sources, stored, result, statistics, stored_fits, row_counts(probes), instants, inner)


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
