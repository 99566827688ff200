"""At which version a model reads each of its sources in this invocation, and what its rows then reflect."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import chain
from typing import Protocol

from dbt_common.exceptions import DbtRuntimeError

from dbt.adapters.trickle.catalog.pins import Invocation, RefreshedTable
from dbt.adapters.trickle.catalog.source_catalog import SourceCatalog
from dbt.adapters.trickle.history.delta_files import DeltaLog
from dbt.adapters.trickle.history.delta_files.rows import is_there
from dbt.adapters.trickle.history.delta_files.vacuumed import gone_before
from dbt.adapters.trickle.versions.history import CURRENT_ERA, MIXED, VECTOR, WarehouseHistory
from dbt.adapters.trickle.versions.version_options import VersionOptions
from trickle import Probe, Reason, Source, SourcePosition, Stamp, StreamTable
from trickle.graph.agreement import Span, VersionOption
from trickle.graph.choice import Choice, PreviousPosition, choose
from trickle.reasons import reason


@dataclass(frozen=True)
class VersionChoice:
    """What was chosen. `positions` is the vector in the form a stamp keeps: base table → position."""

    read: Mapping[str, int] = field(default_factory=dict)
    """Source → version; sources without versions are not among them."""
    positions: Mapping[str, SourcePosition] = field(default_factory=dict)
    mixed: frozenset[str] = frozenset()
    waiting: Reason | None = None
    notes: tuple[Reason, ...] = ()

    @property
    def data_timestamp(self) -> int | None:
        """When the newest of the base tables' versions was committed."""
        return max((position.committed_at for position in self.positions.values()), default=None)

    @property
    def versions(self) -> Mapping[str, int]:
        return {table: position.version for table, position in self.positions.items()}

    def refreshed_table(self, storage_version: int, probes: Mapping[str, Probe]) -> RefreshedTable:
        """The facts about the refreshed table that models downstream need in this invocation."""
        frontier = {name: probes[name].now for name in self.read}
        return RefreshedTable(storage_version, frontier, self.positions, self.mixed)

    @property
    def marks(self) -> dict[str, object]:
        """What the stamp keeps of it."""
        vector = {table: list(asdict(position).values()) for table, position in self.positions.items()}
        return {VECTOR: vector, **({MIXED: sorted(self.mixed)} if self.mixed else {})}


class Analyst(Protocol):
    """Spark's own understanding of queries: analysis only, no job."""

    def schema_of(self, sql: str) -> Sequence[tuple[str, str]]: ...

    def same_meaning(self, text: str, other: str) -> bool: ...

    def can_read(self, sql: str) -> bool: ...

    def only_here(self, sql: str) -> str: ...


def choose_versions(sources: Collection[Source], previous: Stamp | None, warehouse: SourceCatalog) -> VersionChoice:
    """Choose for every source of the model, and let the warehouse answer for the chosen versions from now on."""
    invocation = warehouse.invocation or Invocation()
    history = WarehouseHistory(warehouse, invocation)
    known = VersionOptions(history)
    bases: dict[str, Span] = {}
    streams: dict[str, Iterator[VersionOption]] = {}
    for source in sources:
        own = previous.frontier.position(source.name) if previous else None
        offered = _offered(source, own, history, known)
        if offered is not None:
            streams[source.name] = offered
            continue
        log = warehouse.source_log(source.physical)
        if log.exists:
            bases[source.name] = _readable(log, own)
    choice = choose(bases, streams, _previous_position(sources, previous, warehouse, history))
    physical = {source.name: source.physical for source in sources}
    if any(version != _version(previous, name) for name, version in choice.versions.items()):
        # What stays where it is reads nothing, and needs no files.
        for name, version in choice.versions.items():
            _insist_on_files(name, version, warehouse.source_log(physical[name]), choice)
    warehouse.read_at({physical[name]: version for name, version in choice.versions.items()})
    notes = [
        *_lost(sources, invocation),
        *(note for note in (choice.waiting, choice.disagreeing) if note is not None),
    ]
    positions = {table: history.position(table, moment) for table, moment in sorted(choice.vector.items())}
    return VersionChoice(choice.versions, positions, choice.mixed, choice.waiting, tuple(notes))


def _offered(
    source: Source, own: SourcePosition | None, history: WarehouseHistory, known: VersionOptions
) -> Iterator[VersionOption] | None:
    """The version options of a stream table; None for other tables, and where its storage has no stamp."""
    if not isinstance(source.relation, StreamTable):
        return None
    since = history.rows_at(source.name, own) if own is not None else None
    offered = known.of(source.name, since=since)
    first = next(offered, None)
    return None if first is None else chain([first], offered)


def _readable(log: DeltaLog, own: SourcePosition | None) -> Span:
    """From the model's own last refresh to the pinned version; from the oldest there is, where it has none there."""
    floor = own.version if own is not None and is_there(log, own) else min(log.versions)
    return Span((CURRENT_ERA, floor), (CURRENT_ERA, log.latest))


def _previous_position(
    sources: Collection[Source], previous: Stamp | None, warehouse: SourceCatalog, history: WarehouseHistory
) -> PreviousPosition | None:
    """The positions of the last refresh, if they were one vector that can be read again."""
    recorded = history.recorded(previous, -1) if previous is not None else None
    if previous is None or recorded is None or recorded.mixed:
        return None
    versions: dict[str, int] = {}
    for source in sources:
        own = previous.frontier.position(source.name)
        if own is None or not is_there(warehouse.log(source.physical), own):
            return None
        versions[source.name] = own.version
    return PreviousPosition(versions, {table: span.last for table, span in recorded.vector.items()})


def _version(stamp: Stamp | None, source: str) -> int | None:
    position = stamp.frontier.position(source) if stamp is not None else None
    return None if position is None else position.version


def _insist_on_files(name: str, version: int, log: DeltaLog, choice: Choice) -> None:
    """A version that is not the newest may have lost files: reported before Spark fails to read them."""
    later = [log.commit(number) for number in range(version + 1, log.latest + 1) if log.has(number)]
    gone = gone_before(log, later)
    if gone is not None:
        why = choice.waiting.message if choice.waiting is not None else ""
        raise DbtRuntimeError(
            f"{name} is to be read at version {version}, from which VACUUM has removed {gone}. {why} "
            "Run the model together with all it reads: `dbt run -s +model`."
        )


def _lost(sources: Collection[Source], invocation: Invocation) -> Iterator[Reason]:
    for source in sources:
        pinned = invocation.pinned(source.physical)
        if pinned is not None and pinned.lost:
            yield reason("pin_lost", what=source.name)
