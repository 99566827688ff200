"""Memory in the warehouse's folder: small files, written without Spark and while a run uses the warehouse."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dbt.adapters.trickle.names import storage_name
from dbt.adapters.trickle.ports import NOT_SUSPENDED, Memory, QuietRefresh, Suspension
from dbt.adapters.trickle.warehouses.atomic_write import write_whole
from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import WarehouseFolders

LONGEST_NAME = 180
"""The most bytes of a name; they leave room in the file name for the suffix of a temporary file."""


class FolderMemory:
    """One file per table and kind."""

    def __init__(self, folders: WarehouseFolders) -> None:
        self._checks = folders.checks
        self._suspensions = folders.suspensions

    def quiet_refresh(self, schema: str, name: str) -> QuietRefresh | None:
        try:
            content = json.loads(self._check(schema, name).read_text("utf-8"))
            return QuietRefresh(str(content["table"]), int(content["tick"]), str(content["file"]))
        except (OSError, ValueError, KeyError, TypeError):
            # An unreadable file counts as missing, and the next check writes it again.
            return None

    def write_quiet_refresh(self, schema: str, name: str, check: QuietRefresh) -> None:
        _write(self._check(schema, name), asdict(check))

    def suspension(self, schema: str, name: str) -> Suspension:
        file = self._suspension(schema, name)
        try:
            content = json.loads(file.read_text("utf-8"))
            since = content["suspended_since"]
            return Suspension(None if since is None else int(since), str(content["forgiven"]))
        except (FileNotFoundError, NotADirectoryError):
            return NOT_SUSPENDED
        except (OSError, ValueError, KeyError, TypeError):
            # The decision is lost. Until it is made again, the table counts as suspended.
            return Suspension(suspended_since=int(file.stat().st_mtime * 1000))

    def write_suspension(self, schema: str, name: str, suspension: Suspension) -> None:
        file = self._suspension(schema, name)
        if suspension == NOT_SUSPENDED:
            file.unlink(missing_ok=True)
        else:
            _write(file, asdict(suspension))

    def _check(self, schema: str, name: str) -> Path:
        storage = storage_name(name.lower())
        if len(storage.encode()) > LONGEST_NAME:
            storage = hashlib.sha256(storage.encode()).hexdigest()
        return self._checks / schema.lower() / f"{storage}.json"

    def _suspension(self, schema: str, name: str) -> Path:
        return self._suspensions / schema.lower() / f"{name.lower()}.json"


def _write(file: Path, content: dict[str, Any]) -> None:
    write_whole(file, json.dumps(content).encode())


_IS_A_MEMORY: type[Memory] = FolderMemory
