"""Suspensions by hand (`dbt-trickle suspend` and `resume`): small files in the warehouse's folder.

They are written without Spark, so that a table can be suspended while a run uses the warehouse. A table that failed
too often is suspended by the failures counted in its log; resuming it forgives those and counts later ones again.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Suspension:
    """The last decision about one table: suspended or not, and which failures are forgiven."""

    suspended_since: int | None = None
    """Epoch milliseconds; None when it is not suspended by hand."""
    forgiven: str = ""
    """The failures that do not count, as identified by `memory.failures_of`."""


NONE = Suspension()


class Suspensions:
    """The files, one per table."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def of(self, schema: str, identifier: str) -> Suspension:
        file = self._file(schema, identifier)
        try:
            content = json.loads(file.read_text("utf-8"))
            since = content["suspended_since"]
            return Suspension(None if since is None else int(since), str(content["forgiven"]))
        except (FileNotFoundError, NotADirectoryError):
            return NONE
        except (OSError, ValueError, KeyError, TypeError):
            # The decision is lost. Until it is made again, the table counts as suspended.
            return Suspension(suspended_since=int(file.stat().st_mtime * 1000))

    def write(self, schema: str, identifier: str, suspension: Suspension) -> None:
        """Write the file atomically, so that a concurrent run reads the old decision or the new."""
        file = self._file(schema, identifier)
        if suspension == NONE:
            file.unlink(missing_ok=True)
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        written = file.with_name(f"{file.name}.{os.getpid()}")
        written.write_text(json.dumps(asdict(suspension)), encoding="utf-8")
        written.replace(file)

    def revoke_forgiveness(self, schema: str, identifier: str) -> None:
        """Count the forgiven failures again, after another one."""
        suspension = self.of(schema, identifier)
        if suspension.forgiven:
            self.write(schema, identifier, Suspension(suspension.suspended_since))

    def _file(self, schema: str, identifier: str) -> Path:
        return self._folder / schema.lower() / f"{identifier.lower()}.json"
