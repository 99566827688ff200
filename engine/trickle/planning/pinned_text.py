"""The user's own text with every source at its version."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Optional

from sqlglot import exp

from trickle.catalog.probe import Probe
from trickle.catalog.reads import at_version
from trickle.catalog.tables import Source
from trickle.lower.sources.pinned import Answer, PinnedQuery
from trickle.plan.instant import Clock
from trickle.planning.compile import CompiledView
from trickle.planning.named_files import by_files_or_version, name_of_files
from trickle.sql.build import verbatim


def pinned_query(
    pinned: PinnedQuery, sources: Iterable[Source], versions: Mapping[str, int], answer: Optional[Answer] = None
) -> str:
    """The user's own text with each source at its version, or as it is now where none is given.

    What it asks the clock is answered, or left as it is written.
    """
    relations = {source.name: source.relation for source in sources}
    return pinned.at(lambda name: at_version(relations[name], versions.get(name)), answer)


def pinned_now(view: CompiledView, probes: Mapping[str, Probe], clock: Clock) -> exp.Expr:
    """The text at the versions and instants of a refresh. Sources are read by their files where they can be."""

    def read(number: int, source: Source) -> exp.Expr:
        probe = probes[source.name]
        version = probe.now.version if probe.now.version >= 0 else None
        return by_files_or_version(source.relation, probe.files.now, name_of_files(number, "now"), version)

    reads = {source.name: read(number, source) for number, source in enumerate(view.sources, 1)}
    return verbatim(view.pinned.at(lambda name: reads[name].copy(), view.answers(clock.after)))
