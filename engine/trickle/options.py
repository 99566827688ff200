"""The options of a model, validated. The adapter reads the config keys; the engine receives values."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


class RefreshMode(Enum):
    """Whether falling back to recomputation is allowed, required or refused."""

    AUTO = "auto"
    INCREMENTAL = "incremental"
    FULL = "full"


class FloatSums(Enum):
    """Whether sums over FLOAT and DOUBLE recompute their group (exact) or are added up (fast)."""

    EXACT = "exact"
    FAST = "fast"


@dataclass(frozen=True)
class Options:
    """The engine's view of a model's configuration."""

    refresh_mode: RefreshMode = RefreshMode.AUTO
    float_sums: FloatSums = FloatSums.EXACT
    full_refresh_threshold: float | None = None
    """Share of changed source rows above which FULL is taken; None: priced."""
    disabled_rewrites: frozenset[str] = field(default_factory=frozenset)
