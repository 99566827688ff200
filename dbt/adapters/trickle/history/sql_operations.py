"""What a commit did, by the operation and the metrics that DESCRIBE HISTORY shows. What is not known changed rows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from dbt.adapters.trickle.history.delta_files.commit import DataFile

WITHOUT_ROWS = frozenset(
    {
        "ADD COLUMNS",
        "ADD CONSTRAINT",
        "CHANGE COLUMN",
        "CHANGE COLUMNS",
        "CLUSTER BY",
        "CREATE OR REPLACE TABLE",
        "CREATE TABLE",
        "DROP COLUMNS",
        "DROP CONSTRAINT",
        "OPTIMIZE",
        "RENAME COLUMN",
        "SET TBLPROPERTIES",
        "UNSET TBLPROPERTIES",
        "UPGRADE PROTOCOL",
        "VACUUM END",
        "VACUUM START",
    }
)
"""They write no rows and remove none by themselves. (A replaced table is known by its name.)"""

ROWS_ONLY = frozenset({"DELETE", "MERGE", "OPTIMIZE", "STREAMING UPDATE", "TRUNCATE", "UPDATE", "WRITE"})
"""They leave identity, properties and protocol alone; a write may bring columns."""

WITHOUT_DEFINITION = frozenset({*ROWS_ONLY, "VACUUM START", "VACUUM END", "ADD CONSTRAINT", "DROP CONSTRAINT"})

WITHOUT_PROTOCOL = frozenset({*WITHOUT_DEFINITION, "ADD COLUMNS", "CREATE TABLE", "CREATE TABLE AS SELECT"})
PROPERTIES = ("SET TBLPROPERTIES", "UNSET TBLPROPERTIES")
ADDED, REMOVED = "?added", "?removed"
"""In the place of paths, which are not known."""

Files = tuple[tuple[DataFile, ...], tuple[DataFile, ...]]


def redefines(operation: str) -> bool:
    """Whether a commit may have changed the table's columns, properties or identity, as far as its operation goes."""
    return operation not in WITHOUT_DEFINITION


def keeps_protocol(operation: str, parameters: Mapping[str, Any]) -> bool:
    """Whether readers surely need to know what they needed to know before."""
    if operation in PROPERTIES:
        return not any(name.startswith("delta.") for name in _properties(parameters))
    return operation in WITHOUT_PROTOCOL


def changed_files(operation: str, parameters: Mapping[str, Any], metrics: Mapping[str, Any]) -> Files:
    """A file that stands for all that were added, and one for all that were removed; none where there were none."""
    counts = {name: int(value) for name, value in metrics.items() if str(value).isdigit()}
    added, removed = _changes(operation, parameters, counts)
    rows = next((counts[name] for name in ("numOutputRows", "numCopiedRows") if name in counts), None)
    size = next(
        (counts[name] for name in ("numOutputBytes", "numTargetBytesAdded", "numAddedBytes") if name in counts), 0
    )
    return (
        (DataFile(ADDED, size, rows, True),) if added else (),
        (DataFile(REMOVED, 0, None, True),) if removed else (),
    )


def _changes(operation: str, parameters: Mapping[str, Any], counts: Mapping[str, int]) -> tuple[bool, bool]:
    """Whether rows came, and whether rows went."""
    if operation in WITHOUT_ROWS:
        return False, False
    match operation:
        case "CREATE TABLE AS SELECT":
            return True, False
        case "WRITE" if parameters.get("mode") == "Append":
            return counts.get("numFiles", 1) > 0, False
        case "STREAMING UPDATE" if parameters.get("outputMode") == "Append":
            return counts.get("numAddedFiles", 1) > 0, counts.get("numRemovedFiles", 1) > 0
        case "MERGE":
            return _merged(counts)
        case "UPDATE":
            changed = counts.get("numUpdatedRows", 1) > 0
            return changed, changed
        case "DELETE":
            return False, counts.get("numDeletedRows", 1) > 0
        case "TRUNCATE":
            return False, True
        case _:
            return True, True


def _merged(counts: Mapping[str, int]) -> tuple[bool, bool]:
    """Without all of its metrics a MERGE may have done anything."""
    inserted, updated, deleted, files, vectors = (
        counts.get(name, 1)
        for name in (
            "numTargetRowsInserted",
            "numTargetRowsUpdated",
            "numTargetRowsDeleted",
            "numTargetFilesRemoved",
            "numTargetDeletionVectorsAdded",
        )
    )
    return inserted + updated > 0, updated + deleted + files + vectors > 0


def _properties(parameters: Mapping[str, Any]) -> list[str]:
    text = str(parameters.get("properties") or "{}")
    return [str(name) for name in json.loads(text)]
