"""The frontier: the version of every source that a stored table reflects, and the stamp that carries it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from trickle.catalog.tables import Name
from trickle.errors import StateError

STAMP_FORMAT = 1

FIRST_ENGINE = "0.1"
"""The engine version in the stamps of the first release, which have fewer fields."""

MESSAGE = "said"
"""The key in a stamp's extra for the sentence of the refresh's reason."""


@dataclass(frozen=True)
class SourcePosition:
    """A source at one commit: identity, version, and when that version was committed (epoch milliseconds)."""

    table_id: str
    version: int
    committed_at: int


@dataclass(frozen=True)
class Frontier:
    """Source name → position, for every source a model reads (dotted physical names)."""

    sources: Mapping[str, SourcePosition] = field(default_factory=dict)
    now: int | None = None
    """The instant used for conditions on the clock (epoch milliseconds), where there are any."""

    def position(self, source: str) -> SourcePosition | None:
        return self.sources.get(source)


@dataclass(frozen=True)
class Stamp:
    """The metadata that a refresh writes into the commit of its data."""

    node: str
    refresh: int
    """Monotone number of this refresh: the transaction version of the idempotency pair."""
    action: str
    reason: str
    strategy: str
    definition: str
    """Fingerprint of the canonical SELECT and of the storage layout."""
    contract: Mapping[str, str]
    frontier: Frontier
    data_timestamp: int
    """The instant of the rows (epoch milliseconds): the newest commit read, or the instant of the run."""
    engine: str
    storage_id: str = ""
    """The storage table's id, so that a clone is not taken for the original; empty on creation."""
    extra: Mapping[str, object] = field(default_factory=dict)

    def to_json(self) -> str:
        """Stable text for `userMetadata`."""
        return json.dumps({"trickle": STAMP_FORMAT, **asdict(self)}, sort_keys=True, separators=(",", ":"))


def parse_stamp(text: str | None) -> Stamp | None:
    """The stamp in a commit's user metadata; None when there is none."""
    if not text:
        return None
    try:
        raw = json.loads(text)
    except ValueError:
        return None
    if not isinstance(raw, dict) or "trickle" not in raw:
        return None
    if raw.pop("trickle") != STAMP_FORMAT:
        raise StateError(
            "the table was written by a newer dbt-trickle", remedy="Upgrade dbt-trickle or run with --full-refresh."
        )
    frontier = raw.pop("frontier")
    sources = {name: SourcePosition(**position) for name, position in frontier["sources"].items()}
    return Stamp(frontier=Frontier(sources, frontier.get("now")), **raw)


def dotted(name: Name) -> str:
    """A source's name in frontiers and messages."""
    return ".".join(name)
