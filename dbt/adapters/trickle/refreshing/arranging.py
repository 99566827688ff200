"""The groupings inside a model that are kept as stream tables of their own: which, under what names, and of what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from dbt.adapters.trickle.catalog.source_catalog import SourceCatalog
from dbt.adapters.trickle.names import PART
from dbt.adapters.trickle.options import StreamTableConfig
from dbt.adapters.trickle.options.arrangements import ARRANGEMENTS, Arranging
from dbt.adapters.trickle.options.on_configuration_change import ON_CONFIGURATION_CHANGE
from dbt.adapters.trickle.storages.location import LONGEST_NAME
from dbt.adapters.trickle.storages.storage_state import State
from trickle import CompiledView, FloatSums, Name, Reason, RefreshMode, SourcePosition, Stamp, StreamTable
from trickle.catalog.frontier import Frontier, dotted
from trickle.operators import Aggregate
from trickle.planning.arrange import Arranged, arranged
from trickle.planning.worth_arranging import SourceFacts, worth_arranging

BELOW = "below"
"""In a stamp: the positions of the sources that were read through arrangements, source → position."""

FINGERPRINT = 12
"""The characters of a fingerprint in a name."""

OVER = "__over_parts"
"""After a table's name: the plan of its model's text over arrangements, beside that of the text as written."""


@dataclass(frozen=True)
class Below:
    """What a model reads through its arrangements: at which positions, and what their refreshes did."""

    positions: Mapping[str, SourcePosition] = field(default_factory=dict)
    notes: tuple[Reason, ...] = ()
    ended: int | None = None
    """When they were refreshed, in epoch milliseconds: the model's own refresh begins there."""


Keep = Callable[[Arranged], Below]
"""Refreshes arrangements."""


def arrangement_of(
    model: Name, config: StreamTableConfig, state: State, view: CompiledView, catalog: SourceCatalog, rebuilds: bool
) -> Arranged | None:
    """The model over the groupings that are kept of it; None where it reads its sources only.

    A stored table stays as it was built: what it reads changes with its definition, or when the refresh `rebuilds` it.
    """
    way, previous = config[ARRANGEMENTS], None if rebuilds else state.stamp
    if way is Arranging.NONE or not _may_be_arranged(model, view, config):
        return None
    if previous is not None and previous.definition == view.definition:
        return None
    known: dict[str, SourceFacts] = {}

    def worth(op: Aggregate, name: Name) -> bool:
        if way is Arranging.ALWAYS or (previous is not None and dotted(name) in previous.frontier.sources):
            return True
        known.update(known or _facts(view, catalog))
        return worth_arranging(op, known)

    return arranged(view, _naming(model), worth)


def as_stored(view: CompiledView, model: Name, stamp: Stamp) -> Arranged | None:
    """The model over the arrangements that its stored rows were made from; None where there were none."""
    return arranged(view, _naming(model), lambda op, name: dotted(name) in stamp.frontier.sources)


def _naming(model: Name) -> Callable[[str], Name]:
    schema, identifier = model
    return lambda fingerprint: (schema, f"{identifier}{PART}{fingerprint}")


def _may_be_arranged(model: Name, view: CompiledView, config: StreamTableConfig) -> bool:
    """Names must fit, sources need versions, and sums the one value that a test can compute from the SELECT itself."""
    named_short = len(f"{model[1]}{PART}".encode()) + FINGERPRINT <= LONGEST_NAME
    versioned = all(isinstance(own.relation, StreamTable) or own.relation.versioned for own in view.sources)
    options = view.options
    plain = options.refresh_mode is not RefreshMode.FULL and options.float_sums is FloatSums.EXACT
    return named_short and versioned and plain and config[ON_CONFIGURATION_CHANGE] != "continue"


def _facts(view: CompiledView, catalog: SourceCatalog) -> dict[str, SourceFacts]:
    seen = {own.name: catalog.with_spread(catalog.probe(own, None), own.physical) for own in view.sources}
    return {name: SourceFacts(probe.size.rows, probe.statistics) for name, probe in seen.items()}


def hidden_model(model: Mapping[str, Any]) -> dict[str, Any]:
    """The model, as an arrangement of it is configured: where it lies and how long, and nothing that is the user's."""
    passed_on = ("materialized", "location_root", "retention", "refresh_mode", "full_refresh_threshold")
    config = {key: model["config"][key] for key in passed_on if model["config"].get(key) is not None}
    about = f"A grouping inside {model.get('name')}, kept by dbt-trickle for its refreshes."
    return {
        **model,
        "config": {**config, "arrangements": "none"},
        "columns": {},
        "constraints": [],
        "description": about,
    }


def note_on(name: Name, action: str, strategy: str, seconds: float) -> Reason:
    """What the refresh of an arrangement did, beside the model's own."""
    done = f"{action} by {strategy}" if strategy != "none" else action
    message = f"Reads the grouping {name[-1]} inside the query from a stream table of its own: {done}, {seconds:.1f} s."
    return Reason("reads_arrangement", message)


def without(over: Arranged, why: str) -> Reason:
    """Why a model reads its sources although it was to read arrangements."""
    names = " and ".join(own.name[-1] for own in over.arrangements)
    lines = [line.strip() for line in why.splitlines() if line.strip() and not line.startswith("Database Error")]
    message = f"Reads its sources, because {names} cannot be stored: {' '.join(lines[:1])}"
    return Reason("arrangement_failed", message, remedy="Set `arrangements: none` to try no more.")


def positions_below(positions: Mapping[str, SourcePosition]) -> dict[str, object]:
    """For a stamp: what the arrangements reflect of their sources."""
    return (
        {BELOW: {source: list(asdict(own).values()) for source, own in sorted(positions.items())}} if positions else {}
    )


def with_below(stamp: Stamp) -> Frontier:
    """The positions of everything that the SELECT as written reads."""
    below = stamp.extra.get(BELOW)
    if not isinstance(below, Mapping):
        return stamp.frontier
    known = {str(source): SourcePosition(*position) for source, position in below.items()}
    return Frontier({**known, **stamp.frontier.sources}, stamp.frontier.now)
