"""maintenance_reads: the class of a view, and what maintaining it reads again, whichever of its sources changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from trickle.delta.differentiate import SourceChange
from trickle.delta.passes import change_to_apply
from trickle.delta.table_reads import TableRead, table_reads
from trickle.plan.change import Change
from trickle.plan.read_class import ReadClass, worst
from trickle.planning.compile import CompiledView

OWN = "its own stored rows"


@dataclass(frozen=True)
class MaintenanceReads:
    """What maintaining a view reads, beside changes and the rows of joined tables that they meet."""

    read_class: ReadClass
    again: tuple[str, ...] = ()
    """A phrase for each table, the most that is read first."""


def maintenance_reads(view: CompiledView) -> MaintenanceReads:
    """The worst over the sources, each changed by itself with rows removed, and over the clock where it is asked."""
    if not view.incremental:
        return MaintenanceReads(ReadClass.RECOMPUTE)
    stored = view.layout.stored_again
    reads = frozenset[TableRead]().union(*(_reads(view, change) for change in _changes(view)))
    again = [read for read in reads if read.read_class is not ReadClass.BY_CHANGE]
    phrases = [_phrase(source, [read for read in again if read.source == source]) for source in _sources(again)]
    classes = [read.read_class for read in reads]
    if stored is not None:
        classes.append(stored.read_class)
        phrases.append(stored.rows)
    return MaintenanceReads(worst(classes), tuple(phrases))


def _changes(view: CompiledView) -> Iterator[Change]:
    disabled = view.options.disabled_rewrites
    for source in view.sources:
        yield change_to_apply(view.maintained, {source.name: SourceChange()}, disabled=disabled)
    if view.clock_calls:
        yield change_to_apply(view.maintained, {}, disabled=disabled, changed_calls=view.clock_calls)


def _reads(view: CompiledView, change: Change) -> frozenset[TableRead]:
    """Of the change itself, and of what the strategy for removed rows reads beside it."""
    plans = (change.delta, *view.layout.read_again(change, {}))
    return frozenset[TableRead]().union(*(table_reads(plan) for plan in plans))


def _sources(reads: list[TableRead]) -> list[str | None]:
    """The tables, those that are read as a whole first."""
    whole = {read.source for read in reads if read.read_class is ReadClass.WHOLE}
    names = {read.source for read in reads}
    return sorted(names, key=lambda name: (name not in whole, name or ""))


def _phrase(source: str | None, reads: list[TableRead]) -> str:
    name = source or OWN
    if any(read.read_class is ReadClass.WHOLE for read in reads):
        return f"all of {name}"
    columns = sorted({" and ".join(read.by) for read in reads if read.by})
    return f"{name} by {' or by '.join(columns)}" if columns else name
