"""The lines of `dbt debug` about the embedded warehouse: each part, its state, and the remedy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol

from dbt.adapters.exceptions.connection import FailedToConnectError

from dbt.adapters.trickle.warehouses.embedded import archive
from dbt.adapters.trickle.warehouses.embedded.cache import cache_folder
from dbt.adapters.trickle.warehouses.embedded.contract import contract
from dbt.adapters.trickle.warehouses.embedded.delta_jars import JARS, VERSION, intact, jar_folder, present
from dbt.adapters.trickle.warehouses.embedded.java import Java, find_java
from dbt.adapters.trickle.warehouses.embedded.lock import holder, try_lock
from dbt.adapters.trickle.warehouses.embedded.settings import SparkProfile
from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import folders_of


class CheckedProfile(SparkProfile, Protocol):
    warehouse: str


def checkup(profile: CheckedProfile, environment: Mapping[str, str]) -> Iterator[str]:
    cache = cache_folder(environment)
    try:
        java = find_java(environment)
    except FailedToConnectError as missing:
        yield f"java: {missing.msg}"
    else:
        yield f"java: {java.version} ({java.executable})"
        yield f"archive: {_archive(cache, java, environment)}"
    yield f"delta jars: {_jars(cache)}"
    yield f"warehouse: {_warehouse(folders_of(profile).root, folders_of(profile).lock)}"
    yield "contract: " + ", ".join(f"{name} {value}" for name, value in contract(profile).items())


def _jars(cache: Path) -> str:
    if not present(cache):
        return f"{VERSION} not in {jar_folder(cache)} yet; the first statement fetches it from the network"
    broken = [jar.file_name for jar in JARS if not intact(jar, jar_folder(cache) / jar.file_name)]
    if broken:
        return f"{', '.join(broken)} in {jar_folder(cache)} is damaged; delete it and run again to fetch it"
    return f"{VERSION} in {jar_folder(cache)}"


def _archive(cache: Path, java: Java, environment: Mapping[str, str]) -> str:
    if not archive.enabled(environment):
        return f"switched off by {archive.SWITCH}; Spark starts more slowly"
    jars = present(cache)
    image = archive.archive_path(cache, java, jars) if jars else None
    if image is None or not image.is_file():
        return "not created yet; created in the background after the next run, then Spark starts in half the time"
    return f"{image} ({image.stat().st_size // 1_000_000} MB)"


def _warehouse(root: Path, lock_file: Path) -> str:
    if not root.is_dir():
        return f"{root} (does not exist yet; the first statement creates it)"
    try:
        lock = try_lock(lock_file)
    except OSError as failure:
        return f"{root} (cannot be written to: {failure.strerror})"
    if lock is None:
        return f"{root} (in use by process {holder(lock_file)})"
    lock.release()
    return f"{root} (free)"
