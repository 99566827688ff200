"""arrange: groupings inside a query as stream tables of their own, and the query over them.

A change below a grouping inside a query makes maintenance read its touched groups again from the sources, which is all
of them where the key is spread over every file. Kept as a stream table, the grouping is maintained by the change alone,
and the query reads its change, and its rows, instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Optional

import xxhash

from trickle.apply.printed import printed
from trickle.catalog.frontier import dotted
from trickle.catalog.tables import Name
from trickle.layouts.measures import measured
from trickle.operators import Aggregate, Distinct, Scan, SourceColumn, Window
from trickle.operators.project import renaming
from trickle.plan.op import Op, walk
from trickle.planning.compile import CompiledView
from trickle.render.reads import Binding, Reads
from trickle.render.render import render
from trickle.sql.build import table
from trickle.types import can_be_stored

_REGROUPS = (Aggregate, Distinct, Window)
"""Below a grouping that is kept there is none of these: its change would read touched groups again in turn."""


@dataclass(frozen=True)
class Arrangement:
    """A grouping inside a query, kept as a stream table."""

    name: Name
    query: str
    """Its own SELECT, over the sources of the query it is part of."""


@dataclass(frozen=True)
class Arranged:
    """A query over arrangements: the same rows, columns and types as the query as written."""

    query: str
    arrangements: tuple[Arrangement, ...]


Worth = Callable[[Aggregate, Name], bool]
"""Whether keeping a grouping, under this name, pays."""


def arranged(view: CompiledView, name_of: Callable[[str], Name], worth: Worth) -> Optional[Arranged]:
    """The query with the groupings kept that pay; None where there is none. `name_of` a fingerprint is their name."""
    if not _can_be_arranged(view):
        return None
    parts: dict[int, Arrangement] = {}
    for op in _inner_groupings(view):
        query = _text(op, op.schema.names, _reads(view))
        name = name_of(xxhash.xxh3_64(query.encode()).hexdigest()[:12])
        if worth(op, name):
            parts[id(op)] = Arrangement(name, query)
    if not parts:
        return None
    tables = {own.name: own for own in parts.values()}
    reads = {**_reads(view), **{dotted(name): Reads(table(name)) for name in tables}}
    return Arranged(_text(_over(view.plan, parts), view.shown.names, reads), tuple(tables.values()))


def groupings_in_words(view: CompiledView) -> tuple[str, ...]:
    """Each grouping inside the query that can be stored: of which tables, and by which columns."""
    inner = _inner_groupings(view) if _can_be_arranged(view) else ()
    return tuple(dict.fromkeys(map(_words, inner)))


def _words(op: Aggregate) -> str:
    scans = [part for part in walk(op) if isinstance(part, Scan)]
    columns = {column.name: column.source for scan in scans for column in scan.columns}
    keys = [columns.get(key.value.column_name or "", key.value.text) for key in op.keys]
    tables = dict.fromkeys(scan.source for scan in scans)
    return f"{' and '.join(tables)} grouped by {', '.join(keys)}"


def _can_be_arranged(view: CompiledView) -> bool:
    """Not where a text does not say it all: instants of the clock, users' functions, which of tied rows comes first."""
    plain = not view.clock_calls and not view.routines.fingerprints and not view.pinned.feeds
    return view.incremental and plain and not view.settles_ties and not view.pinned.recurs


def _inner_groupings(view: CompiledView) -> Iterator[Aggregate]:
    """Groupings with keys below what the layout stores, over no other grouping, all of whose calls have states."""
    for op in walk(view.maintained):
        if (
            isinstance(op, Aggregate)
            and op.keys
            and _has_states(op, view)
            and not _reads_groups(op)
            and _is_storable(op)
        ):
            yield op


def _is_storable(op: Aggregate) -> bool:
    return all(column.type and can_be_stored(column.parsed_type) for column in op.schema)


def _has_states(op: Aggregate, view: CompiledView) -> bool:
    return all(measure.maintained is not None for measure in measured(op, view.options.float_sums))


def _reads_groups(op: Aggregate) -> bool:
    return any(isinstance(below, _REGROUPS) for below in walk(op) if below is not op)


def _over(root: Op, parts: Mapping[int, Arrangement]) -> Op:
    """The plan in which each of these groupings is read from its table."""
    done: dict[int, Op] = {}
    for op in walk(root):
        own = parts.get(id(op))
        done[id(op)] = op.rebuild([done[id(child)] for child in op.children]) if own is None else _scan(op, own)
    return done[id(root)]


def _scan(op: Op, own: Arrangement) -> Scan:
    columns = tuple(SourceColumn(item.name, item.name, item.type) for item in op.schema)
    return Scan(dotted(own.name), "part", columns)


def _reads(view: CompiledView) -> dict[str, Reads]:
    return {source.name: Reads(table(source.relation.name)) for source in view.sources}


def _text(op: Op, names: tuple[str, ...], reads: Mapping[str, Reads]) -> str:
    """The rows of a plan as a SELECT with these names of columns."""
    return printed(render(renaming(op, names), Binding(reads)))
