"""How a stream table's storage and its hidden columns are called."""

from __future__ import annotations

STORAGE_SUFFIX = "__trickle"
HIDDEN_PREFIX = "__trickle_"
COUNT = f"{HIDDEN_PREFIX}count"
"""The hidden column that says how often a stored row is shown."""


def storage_name(identifier: str) -> str:
    return f"{identifier}{STORAGE_SUFFIX}"
