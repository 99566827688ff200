"""The class-data archive: Spark's classes as a memory image, which halves the time until Spark is ready.

It is an optimisation only. Java ignores one it cannot use, and one that keeps Java from starting is deleted.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from dbt.adapters.trickle.warehouses.embedded.java import Java
from dbt.adapters.trickle.warehouses.embedded.pyspark_home import spark_home

SWITCH = "DBT_TRICKLE_ARCHIVE"
SUFFIX = ".jsa"


def enabled(environment: Mapping[str, str]) -> bool:
    return environment.get(SWITCH, "on").lower() not in {"off", "0", "false", "no"}


def archive_folder(cache: Path) -> Path:
    return cache / "archive"


def archive_path(cache: Path, java: Java, jars: Sequence[Path]) -> Path:
    """The archive for this Java and this exact class path; any other archive would be stale."""
    digest = hashlib.sha256(f"{java.executable}\n{java.version}\n".encode())
    for file in (*jars, *sorted((spark_home() / "jars").glob("*.jar"))):
        facts = file.stat()
        digest.update(f"{file}\n{facts.st_size}\n{facts.st_mtime_ns}\n".encode())
    return archive_folder(cache) / f"{digest.hexdigest()[:20]}{SUFFIX}"


def use_options(archive: Path) -> tuple[str, ...]:
    return ("-Xshare:auto", f"-XX:SharedArchiveFile={archive}", "-Xlog:disable", "-Xlog:all=error:stderr")


def mark_used(archive: Path) -> None:
    """Set the time of last use, by which old archives are deleted. A read-only cache is never cleared."""
    with suppress(PermissionError):
        os.utime(archive)


def make_options(target: Path) -> tuple[str, ...]:
    return (f"-XX:ArchiveClassesAtExit={target}", "-Xlog:disable", "-Xlog:all=error:stderr")


def train_in_background(cache: Path) -> None:
    """Create the archive in a separate process that outlives this one, at the lowest priority."""
    folder = archive_folder(cache)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "training.log").open("ab") as log:
        subprocess.Popen(
            [sys.executable, "-m", "dbt.adapters.trickle.warehouses.embedded.archive_training"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
            start_new_session=True,
        )
