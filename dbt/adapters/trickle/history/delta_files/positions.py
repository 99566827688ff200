"""The positions that a deletion vector holds: a roaring bitmap, in a file of the table or in its log."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from dbt.adapters.trickle.history.delta_files.base85 import decoded
from dbt.adapters.trickle.history.table_history import LogUnreadable
from trickle.catalog.source_files import FileRows, Positions

if TYPE_CHECKING:
    from pyroaring import BitMap64

_MAGIC = (1681511377).to_bytes(4, "little")
"""What a vector of Delta's portable form begins with; a 64-bit bitmap in the portable form of Roaring follows."""


def meant(part: FileRows) -> tuple[bool, BitMap64]:
    """Whether these are the rows that are meant, or all the others, and their positions."""
    without = None if part.without is None else positions(part.without)
    if part.only is None:
        assert without is not None
        return False, without
    only = positions(part.only)
    return True, only if without is None else only - without


def positions(vector: Positions) -> BitMap64:
    """Raises LogUnreadable: a vector of which a bit is not sure hides other rows."""
    # Not at the top: most runs read no vector.
    from pyroaring import BitMap64

    content = decoded(vector.inline) if vector.inline else _content(vector)
    if not content.startswith(_MAGIC):
        raise LogUnreadable(f"the deletion vector {_name(vector)} is of a form that is not known")
    try:
        bits = BitMap64.deserialize(content[len(_MAGIC) :])
    except (ValueError, MemoryError) as failure:
        raise LogUnreadable(f"the deletion vector {_name(vector)} is damaged ({failure})") from failure
    if len(bits) != vector.rows:
        raise LogUnreadable(f"the deletion vector {_name(vector)} has {len(bits)} rows; the log says {vector.rows}")
    return bits


def _content(vector: Positions) -> bytes:
    """The vector's bytes: in its file they stand between their number and their checksum."""
    try:
        with Path(vector.file).open("rb") as file:
            file.seek(vector.offset)
            size = int.from_bytes(file.read(4), "big")
            content, checksum = file.read(size), file.read(4)
    except OSError as failure:
        raise LogUnreadable(f"the deletion vector {vector.file} cannot be read ({failure.strerror})") from failure
    if len(content) != size or zlib.crc32(content) != int.from_bytes(checksum, "big"):
        raise LogUnreadable(f"the deletion vector {vector.file} is damaged (its checksum is another)")
    return content


def _name(vector: Positions) -> str:
    return vector.file or "in the log"
