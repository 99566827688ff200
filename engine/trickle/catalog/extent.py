"""How much there is to read, and whether one task should read it all."""

from __future__ import annotations

ROWS = 200_000
BYTES = 8 * 1024 * 1024
FILES = 16
"""One after the other: elsewhere than on a local disk each costs a round trip."""


def fits_one_task(rows: int, size: int, files: int) -> bool:
    """A shuffle between tasks takes longer than so few rows in one. Zero is what a log says that does not tell."""
    return 0 < rows <= ROWS and 0 < files <= FILES and size <= BYTES
