"""Fetches Delta Lake's JARs into the cache, by the repositories that the machine's Java tools are configured for."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from dbt.adapters.exceptions.connection import FailedToConnectError

from dbt.adapters.trickle.warehouses.embedded.delta_jars import GROUP, JARS, VERSION, intact, jar_folder, present
from dbt.adapters.trickle.warehouses.embedded.java import Java
from dbt.adapters.trickle.warehouses.embedded.java_process import MODULE_OPTIONS, last_words
from dbt.adapters.trickle.warehouses.embedded.lock import wait_for_lock
from dbt.adapters.trickle.warehouses.embedded.pyspark_home import class_path, spark_environment

TIMEOUT_SECONDS = 300
# Spark includes all dependencies of Delta outside its own group.
NOT_NEEDED = "org.*:*,com.*:*,dev.*:*,io.unitycatalog:*"


def ensure_jars(
    cache: Path, java: Java, report: Callable[[str], None], interrupted: threading.Event
) -> tuple[Path, ...]:
    """The five files, fetched if they are not in the cache; raises one sentence if they cannot be fetched."""
    if existing := present(cache):
        return existing
    folder = jar_folder(cache)
    folder.mkdir(parents=True, exist_ok=True)
    lock = wait_for_lock(folder / "lock", TIMEOUT_SECONDS, report, interrupted)
    try:
        if not present(cache):
            report(f"Fetching Delta Lake {VERSION} into {folder} (12 MB, once).")
            _fetch(folder, java)
        return present(cache)
    finally:
        lock.release()


def _fetch(folder: Path, java: Java) -> None:
    log = folder / "fetch.log"
    log.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        for fetch in (_by_spark, _by_maven):
            arrivals = fetch(Path(scratch), java, log)
            if _store(arrivals, folder):
                return
    files = ", ".join(jar.file_name for jar in JARS)
    raise FailedToConnectError(
        f"Delta Lake {VERSION} is not in {folder} and could not be fetched ({last_words(log)}): "
        f"connect to the network once, or copy these files there yourself: {files}. "
        f"The full output is in {log}."
    )


def _by_spark(scratch: Path, java: Java, log: Path) -> Path:
    """Spark's own package resolution, with the repositories and proxies that this user has configured for it."""
    command = [
        str(java.executable),
        *MODULE_OPTIONS,
        "-cp",
        os.pathsep.join(class_path()),
        "org.apache.spark.deploy.SparkSubmit",
        "--packages",
        ",".join(jar.coordinate for jar in JARS),
        "--exclude-packages",
        NOT_NEEDED,
        "--conf",
        f"spark.jars.ivy={scratch / 'ivy'}",
        "pyspark-shell",
    ]
    environment = {**spark_environment(), "_PYSPARK_DRIVER_CONN_INFO_PATH": str(scratch / "gateway")}
    _run(command, environment, log)
    return scratch / "ivy" / "jars"


def _by_maven(scratch: Path, java: Java, log: Path) -> Path:
    """Maven, if it is installed: Spark's resolution fails if a local cache has a POM without its JAR."""
    maven = shutil.which("mvn")
    target = scratch / "maven"
    for jar in JARS if maven else ():
        command = [
            str(maven),
            "--batch-mode",
            "dependency:copy",
            f"-Dartifact={jar.coordinate}",
            f"-DoutputDirectory={target}",
        ]
        _run(command, {**os.environ, "JAVA_HOME": str(java.executable.parent.parent)}, log)
    return target


def _run(command: list[str], environment: dict[str, str], log: Path) -> None:
    """Run the command and log its output; the caller checks the files that arrived."""
    with log.open("ab") as output:
        try:
            subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=environment,
                timeout=TIMEOUT_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as failure:
            output.write(f"Error: {failure}\n".encode())


def _store(arrivals: Path, folder: Path) -> bool:
    """Move the files into the cache if all five arrived intact. Spark prefixes their names with the group."""
    files = {jar: file for jar in JARS for file in _named(arrivals, jar.file_name) if intact(jar, file)}
    if len(files) < len(JARS):
        return False
    for jar, file in files.items():
        file.replace(folder / jar.file_name)
    return True


def _named(folder: Path, name: str) -> Iterator[Path]:
    yield from (file for file in (folder / name, folder / f"{GROUP}_{name}") if file.is_file())
