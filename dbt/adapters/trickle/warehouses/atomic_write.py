"""Writing a file as a whole, while others may read it."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(file: Path, content: bytes) -> None:
    """A reader finds the old content or the new, and never a part. Missing folders are created."""
    file.parent.mkdir(parents=True, exist_ok=True)
    # Not by `tempfile`: its files are their writer's alone, and others may read the warehouse.
    written = file.with_name(f".{file.name}.{os.urandom(4).hex()}")
    try:
        written.write_bytes(content)
        written.replace(file)
    except BaseException:
        written.unlink(missing_ok=True)
        raise
