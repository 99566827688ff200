"""Whether a relation is small enough for one task."""

from __future__ import annotations

ROWS = 200_000
BYTES = 8 * 1024 * 1024
FILES = 16
"""One task opens them in sequence: on remote storage each costs a round trip."""


def fits_one_task(rows: int, size: int, files: int) -> bool:
    """Whether one task reads this faster than several with a shuffle. Zero means that the log has no size: False."""
    return 0 < rows <= ROWS and 0 < files <= FILES and size <= BYTES
