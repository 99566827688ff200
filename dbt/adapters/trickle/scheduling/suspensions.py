"""What people decided about stream tables with `dbt-trickle suspend` and `resume`: small files in the warehouse.

They are written without Spark, so that a table can be suspended while a run holds the warehouse. A table that failed
too often is suspended by the failures counted in its log; resuming it forgives those, and counts what comes after.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Ruling:
    """The last word about one table."""

    suspended_since: int | None = None
    """Epoch milliseconds; None when it is not suspended by hand."""
    forgiven: str = ""
    """The failures that are not held against it, by the name `remembered` gives them."""


NONE = Ruling()


class Suspensions:
    """The files, one a table."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def of(self, schema: str, identifier: str) -> Ruling:
        file = self._file(schema, identifier)
        try:
            kept = json.loads(file.read_text("utf-8"))
            since = kept["suspended_since"]
            return Ruling(None if since is None else int(since), str(kept["forgiven"]))
        except (FileNotFoundError, NotADirectoryError):
            return NONE
        except (OSError, ValueError, KeyError, TypeError):
            # Somebody said something of this table. Until they say it again, its rows stay as they are.
            return Ruling(suspended_since=int(file.stat().st_mtime * 1000))

    def decide(self, schema: str, identifier: str, ruling: Ruling) -> None:
        """In one step, so that a run reads the old word or the new."""
        file = self._file(schema, identifier)
        if ruling == NONE:
            file.unlink(missing_ok=True)
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        written = file.with_name(f"{file.name}.{os.getpid()}")
        written.write_text(json.dumps(asdict(ruling)), encoding="utf-8")
        written.replace(file)

    def hold_against(self, schema: str, identifier: str) -> None:
        """A failure came after those that were forgiven: from here on all that are counted stand."""
        ruling = self.of(schema, identifier)
        if ruling.forgiven:
            self.decide(schema, identifier, Ruling(ruling.suspended_since))

    def _file(self, schema: str, identifier: str) -> Path:
        return self._folder / schema.lower() / f"{identifier.lower()}.json"
