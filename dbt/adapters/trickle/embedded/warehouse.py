"""The one embedded Spark of this process: started by the first statement, shared by every connection."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from dbt.adapters.exceptions import FailedToConnectError
from pyspark import SparkConf, SparkContext
from pyspark.java_gateway import launch_gateway
from pyspark.sql import SparkSession

from dbt.adapters.trickle.embedded import delta_jars, java_process
from dbt.adapters.trickle.embedded.cache import cache_folder
from dbt.adapters.trickle.embedded.java import find_java
from dbt.adapters.trickle.embedded.layout import Layout, layout_of
from dbt.adapters.trickle.embedded.lock import FileLock, wait_for_lock
from dbt.adapters.trickle.embedded.logs import write_log_configuration
from dbt.adapters.trickle.embedded.machine import core_count, heap_for, memory_bytes
from dbt.adapters.trickle.embedded.settings import SparkProfile, session_settings, start_settings


class WarehouseProfile(SparkProfile, Protocol):
    warehouse: str
    lock_timeout: float
    driver_memory: str | None
    cores: int | None


@dataclass
class Warehouse:
    layout: Layout
    lock: FileLock
    java: java_process.JavaProcess
    root: SparkSession

    def stop(self) -> None:
        """Leave no trace in this process, so that another warehouse can be opened in it."""
        self.root.stop()
        gateway = SparkContext._gateway
        if gateway is not None:
            gateway.shutdown()
        SparkContext._gateway = None
        SparkContext._jvm = None
        self.java.stop(seconds=15)
        self.lock.release()


interrupted = threading.Event()
_guard = threading.RLock()
_running: Warehouse | None = None


def new_session(profile: WarehouseProfile, say: Callable[[str], None]) -> SparkSession:
    """A session nobody else sees: own settings, temporary views and current database; same catalog and Java."""
    warehouse = opened(profile, say)
    session = warehouse.root.newSession()
    for key, value in session_settings(profile, profile.cores or core_count()).items():
        if session.conf.isModifiable(key):
            session.conf.set(key, value)
    return session


def opened(profile: WarehouseProfile, say: Callable[[str], None]) -> Warehouse:
    """The running warehouse, started if need be; a different folder replaces the one that runs."""
    global _running
    with _guard:
        layout = layout_of(profile)
        if _running is not None and _running.layout != layout:
            close()
        if _running is None:
            _running = _start(profile, layout, say)
        return _running


def close() -> None:
    """End the embedded Spark, if it runs, and free the warehouse for others."""
    global _running
    with _guard:
        if _running is not None:
            ending, _running = _running, None
            ending.stop()


def running() -> Warehouse | None:
    return _running


def _start(profile: WarehouseProfile, layout: Layout, say: Callable[[str], None]) -> Warehouse:
    if SparkContext._active_spark_context is not None:
        raise FailedToConnectError(
            "A Spark that dbt-trickle did not start runs in this Python process: stop it (`spark.stop()`) first."
        )
    java = find_java(os.environ)
    jars = delta_jars.present(cache_folder(os.environ))
    _make_folders(layout)
    lock = wait_for_lock(layout.lock, profile.lock_timeout, say, interrupted)
    try:
        _empty(layout.scratch)
        cores = profile.cores or core_count()
        launch = java_process.Launch(
            java=java.executable,
            options=_java_options(profile, layout),
            class_path=(*map(str, jars), *_spark_class_path()),
            settings_file=_write_settings(
                layout, {**session_settings(profile, cores), **start_settings(layout, cores)}
            ),
            log=layout.process_log,
            scratch=layout.scratch,
            kept_descriptors=(lock.descriptor,),
        )
        process = java_process.start(launch, _environment(), interrupted)
    except BaseException:
        lock.release()
        raise
    return Warehouse(layout, lock, process, _connect(process))


def _java_options(profile: WarehouseProfile, layout: Layout) -> tuple[str, ...]:
    log_configuration = write_log_configuration(layout.logs, layout.spark_log)
    return (
        f"-Xmx{profile.driver_memory or heap_for(memory_bytes())}",
        f"-Djava.io.tmpdir={layout.scratch}",
        f"-Dderby.system.home={layout.logs}",
        f"-Dderby.stream.error.file={layout.logs / 'derby.log'}",
        "-Dderby.connection.requireAuthentication=false",
        f"-Dlog4j2.configurationFile={log_configuration.as_uri()}",
    )


def _spark_class_path() -> tuple[str, ...]:
    import pyspark

    return (str(Path(pyspark.__file__).parent / "jars" / "*"),)


def _environment() -> dict[str, str]:
    """Ours, with the Spark of this Python instead of another installation SPARK_HOME may name."""
    import pyspark

    return {**os.environ, "SPARK_HOME": str(Path(pyspark.__file__).parent)}


def _make_folders(layout: Layout) -> None:
    try:
        for folder in (layout.root, layout.data, layout.logs, layout.scratch):
            folder.mkdir(parents=True, exist_ok=True)
    except OSError as failure:
        raise FailedToConnectError(
            f"The warehouse folder {layout.root} cannot be made ({failure.strerror}): "
            "choose another with `warehouse` in the profile."
        ) from failure


def _empty(folder: Path) -> None:
    """What killed runs left behind; we hold the lock, so nobody needs it."""
    for entry in folder.iterdir():
        shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()


def _write_settings(layout: Layout, settings: dict[str, str]) -> Path:
    """A file only we can read rather than arguments every user of the machine sees: settings hold passwords."""
    path = layout.scratch / "spark.properties"
    path.touch(mode=0o600)
    path.write_text("".join(f"{key} {_escaped(value)}\n" for key, value in settings.items()), "utf-8")
    return path


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace("\n", "\\n")


def _connect(process: java_process.JavaProcess) -> SparkSession:
    """Hand PySpark the Java that runs already, the way spark-submit does for Python programs."""
    os.environ["PYSPARK_GATEWAY_PORT"] = str(process.port)
    os.environ["PYSPARK_GATEWAY_SECRET"] = process.secret
    try:
        gateway = launch_gateway()
    finally:
        del os.environ["PYSPARK_GATEWAY_PORT"], os.environ["PYSPARK_GATEWAY_SECRET"]
    context = SparkContext(gateway=gateway, conf=SparkConf(_jvm=gateway.jvm))
    return SparkSession(context)
