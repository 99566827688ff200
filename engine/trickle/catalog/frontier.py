"""The frontier: which version of every source a stored table stands for, and the stamp that carries it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from trickle.catalog.tables import Name
from trickle.errors import StateError

STAMP_FORMAT = 1

FIRST_ENGINE = "0.1"
"""The engine of the first release in its stamps, which tell less than later ones."""

MESSAGE = "said"
"""In the extra of a stamp: the sentence of the refresh's reason."""


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
    """The instant by which conditions on the clock were judged (epoch milliseconds), where there are such."""

    def position(self, source: str) -> SourcePosition | None:
        return self.sources.get(source)


@dataclass(frozen=True)
class Stamp:
    """What a refresh writes into the commit that carries its data."""

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
    """The instant the rows stand for (epoch milliseconds): the newest commit read, or the instant of the run."""
    engine: str
    storage_id: str = ""
    """The storage table's own id, so that a clone is not mistaken for the original; empty on creation."""
    extra: Mapping[str, object] = field(default_factory=dict)

    def to_json(self) -> str:
        """Stable text for `userMetadata`."""
        return json.dumps({"trickle": STAMP_FORMAT, **asdict(self)}, sort_keys=True, separators=(",", ":"))


def parse_stamp(text: str | None) -> Stamp | None:
    """Read a stamp back; None when the commit carries none of ours."""
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
    """The name a source has in frontiers and messages."""
    return ".".join(name)
