"""Compiled models in the warehouse folder, a file for each stream table: safe to delete, and ignored when in doubt."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path

import xxhash
from dbt.adapters.events.logging import AdapterLogger

import trickle
from dbt.adapters.trickle.versions.plan_file import CachedPlan, Damaged, from_bytes, to_bytes
from dbt.adapters.trickle.warehouses.atomic_write import write_whole
from trickle import Name, Options

logger = AdapterLogger("Trickle")
SUFFIX = ".plan"
MOST_FILES = 2_000
LARGEST_FILE = 4 * 2**20
UNUSED_SECONDS = 30 * 86_400
"""After this time the model is taken to be gone."""
TOUCHED_SECONDS = 86_400


class PlanCache:
    """What was compiled by earlier runs under the same contract. Without a folder nothing is cached."""

    def __init__(self, folder: Path | None, contract: Mapping[str, str]) -> None:
        self._folder = folder
        self._contract = contract

    def fingerprint(self, sql: str, options: Options) -> str:
        """Of all that a plan depends on beside the facts."""
        parts = [_made_by(), sql, repr(options), *(f"{key} {value}" for key, value in sorted(self._contract.items()))]
        digest = xxhash.xxh3_128()
        for part in parts:
            digest.update(f"{len(part)} {part}".encode())
        return digest.hexdigest()

    def read(self, table: Name, fingerprint: str) -> CachedPlan | None:
        """The plan of a stream table; None where there is none, or none of this fingerprint that can be read."""
        if self._folder is None:
            return None
        file = self._file(self._folder, table)
        try:
            plan = from_bytes(file.read_bytes())
            if plan.fingerprint == fingerprint and time.time() - file.stat().st_mtime > TOUCHED_SECONDS:
                file.touch()
        except FileNotFoundError:
            return None
        except (OSError, Damaged) as failure:
            logger.debug(f"{file} is not used: {failure}")
            return None
        return plan if plan.fingerprint == fingerprint else None

    def save(self, table: Name, plan: CachedPlan) -> None:
        """Losing it costs no more than compiling again, which is no reason to fail."""
        if self._folder is None:
            return
        try:
            content = to_bytes(plan)
            if len(content) <= LARGEST_FILE:
                write_whole(self._file(self._folder, table), content)
                self._remove_unused(self._folder)
        except (OSError, RecursionError) as failure:
            logger.debug(f"The plan of {'.'.join(table)} cannot be saved: {failure}")

    @staticmethod
    def _file(folder: Path, table: Name) -> Path:
        return folder / f"{'.'.join(table)}{SUFFIX}"

    @staticmethod
    def _remove_unused(folder: Path) -> None:
        by_use = sorted(folder.glob(f"*{SUFFIX}"), key=lambda file: file.stat().st_mtime, reverse=True)
        oldest = time.time() - UNUSED_SECONDS
        for index, file in enumerate(by_use):
            if index >= MOST_FILES or file.stat().st_mtime < oldest:
                file.unlink(missing_ok=True)


NO_PLANS = PlanCache(None, {})


@cache
def _made_by() -> str:
    """The programs that compile, the engine by its files: one that is worked on keeps its version."""
    root = Path(trickle.__file__).parent
    stats = ((file, file.stat()) for file in sorted(root.rglob("*.py")))
    files = [f"{file} {known.st_size} {known.st_mtime_ns}" for file, known in stats]
    engine = xxhash.xxh3_128("\n".join(files).encode()).hexdigest()
    return f"dbt-trickle {version('dbt-trickle')} sqlglot {version('sqlglot')} engine {engine}"
