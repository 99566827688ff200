"""The embedded Spark of this process: started by the first statement, shared by every connection."""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from py4j.protocol import Py4JError
from pyspark.sql import SparkSession

from dbt.adapters.trickle.warehouses.embedded import archive, java_process
from dbt.adapters.trickle.warehouses.embedded.activity import ACTIVITY
from dbt.adapters.trickle.warehouses.embedded.cache import cache_folder
from dbt.adapters.trickle.warehouses.embedded.catalog_cache import CATALOG
from dbt.adapters.trickle.warehouses.embedded.disk import refuse_too_little, written_in
from dbt.adapters.trickle.warehouses.embedded.folders import empty, make_folders
from dbt.adapters.trickle.warehouses.embedded.jar_fetch import ensure_jars
from dbt.adapters.trickle.warehouses.embedded.java import Java, find_java
from dbt.adapters.trickle.warehouses.embedded.lock import FileLock, wait_for_lock
from dbt.adapters.trickle.warehouses.embedded.logs import write_log_configuration
from dbt.adapters.trickle.warehouses.embedded.machine import collector, core_count, heap_for, memory_bytes
from dbt.adapters.trickle.warehouses.embedded.owner import mark, refuse_foreign_files
from dbt.adapters.trickle.warehouses.embedded.progress import Stage
from dbt.adapters.trickle.warehouses.embedded.py4j_bridge import connect, disconnect, refuse_another_spark, settings_of
from dbt.adapters.trickle.warehouses.embedded.pyspark_home import class_path, spark_environment
from dbt.adapters.trickle.warehouses.embedded.relevant_settings import misset
from dbt.adapters.trickle.warehouses.embedded.settings import (
    SparkProfile,
    session_settings,
    sizes,
    start_settings,
    write_settings,
)
from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import WarehouseFolders, folders_of

Report = Callable[[str], None]


class WarehouseProfile(SparkProfile, Protocol):
    warehouse: str
    lock_timeout: float
    driver_memory: str | None
    cores: int | None


@dataclass(frozen=True)
class EmbeddedSpark:
    layout: WarehouseFolders
    lock: FileLock
    java: java_process.JavaProcess
    root: SparkSession


_guard = threading.RLock()
_running: EmbeddedSpark | None = None
_process: java_process.JavaProcess | None = None


def new_session(profile: WarehouseProfile, report: Report) -> SparkSession:
    """A separate session: own settings, temporary views and current schema; same catalog and Java."""
    session = opened(profile, report).root.newSession()
    wanted = session_settings(profile, profile.cores or core_count())
    for key, value in wanted.items():
        if session.conf.isModifiable(key):
            session.conf.set(key, value)
    # Java may have been started by another profile, whose settings are the initial ones of every session.
    for key, wanted_value in misset(settings_of(session), wanted):
        if wanted_value is None and session.conf.isModifiable(key):
            session.conf.unset(key)
    return session


def opened(profile: WarehouseProfile, report: Report) -> EmbeddedSpark:
    """The running Spark, started if necessary; one of another folder, or whose Java has ended, is replaced."""
    with _guard:
        if _running is not None and (
            _running.layout != folders_of(profile) or _running.java.process.poll() is not None
        ):
            close()
        if _running is not None:
            return _running
        java = find_java(os.environ)
        cache = cache_folder(os.environ)
        jars = ensure_jars(cache, java, report, ACTIVITY.interrupted)
        image = archive.archive_path(cache, java, jars)
        if not archive.enabled(os.environ):
            return start_with(profile, (), report)
        if not image.is_file():
            atexit.register(archive.train_in_background, cache)
            return start_with(profile, (), report)
        archive.mark_used(image)
        try:
            return start_with(profile, archive.use_options(image), report)
        except java_process.JavaEnded:
            image.unlink(missing_ok=True)
            return start_with(profile, (), report)


def start_with(profile: WarehouseProfile, options: tuple[str, ...], report: Report) -> EmbeddedSpark:
    """Lock the folder and start Java in it with these additional options."""
    global _running, _process
    refuse_another_spark()
    java = find_java(os.environ)
    jars = ensure_jars(cache_folder(os.environ), java, report, ACTIVITY.interrupted)
    layout = folders_of(profile)
    with written_in(layout.root):
        refuse_foreign_files(layout)
        make_folders(layout)
        refuse_too_little(layout.root)
        lock = wait_for_lock(layout.lock, profile.lock_timeout, report, ACTIVITY.interrupted, ACTIVITY.purpose)
    try:
        CATALOG.starts(layout)
        with written_in(layout.root):
            empty(layout.scratch)
            mark(layout)
        ACTIVITY.cancel, ACTIVITY.kill, ACTIVITY.stages = cancel_all, kill, stages
        with written_in(layout.root):
            launch = _launch(profile, layout, java, jars, options, lock)
        _process = java_process.start(launch, spark_environment(), ACTIVITY.interrupted)
        _running = EmbeddedSpark(layout, lock, _process, connect(_process))
    except BaseException:
        kill()
        lock.release()
        raise
    return _running


def is_open() -> bool:
    """Whether this process runs a Spark; whoever opened it closes it."""
    return _running is not None


def close(seconds: float = 15) -> None:
    """Stop the embedded Spark, if it runs, and release the warehouse; another one can be started afterwards."""
    global _running, _process
    with _guard:
        if _running is not None:
            ending, _running, _process = _running, None, None
            disconnect(ending.root, alive=ending.java.process.poll() is None)
            ending.java.stop(seconds)
            ending.lock.release()
            CATALOG.stops()


def has_ended() -> bool:
    """Whether the Java of this process has ended unexpectedly."""
    return _process is not None and _process.process.poll() is not None


def cancel_all() -> None:
    """Stop every running job."""
    if _running is not None:
        _running.root.sparkContext.cancelAllJobs()


def stages() -> list[Stage]:
    """Spark's running stages, none if Spark does not answer."""
    if _running is None:
        return []
    tracker = _running.root.sparkContext.statusTracker()
    try:
        infos = [tracker.getStageInfo(stage_id) for stage_id in tracker.getActiveStageIds()]
    except (Py4JError, OSError):
        # Java is ending; the running statement reports it.
        return []
    return [
        Stage(stage_id.stageId, stage_id.numTasks, stage_id.numCompletedTasks)
        for stage_id in infos
        if stage_id is not None
    ]


def kill() -> None:
    """Kill Java; statements that wait for it get an error."""
    if _process is not None:
        _process.kill()


def _launch(
    profile: WarehouseProfile,
    layout: WarehouseFolders,
    java: Java,
    jars: tuple[Path, ...],
    options: tuple[str, ...],
    lock: FileLock,
) -> java_process.Launch:
    cores = profile.cores or core_count()
    heap = profile.driver_memory or heap_for(memory_bytes())
    settings = {**sizes(heap), **session_settings(profile, cores), **start_settings(layout, cores)}
    return java_process.Launch(
        java=java.executable,
        options=(*_java_options(heap, layout), *options),
        class_path=(*map(str, jars), *class_path()),
        settings_file=write_settings(layout.scratch, settings),
        log=layout.process_log,
        scratch=layout.scratch,
        inherited_descriptors=(lock.descriptor,),
    )


def _java_options(heap: str, layout: WarehouseFolders) -> tuple[str, ...]:
    log_configuration = write_log_configuration(layout.logs, layout.spark_log)
    return (
        f"-Xmx{heap}",
        *collector(os.environ),
        f"-Djava.io.tmpdir={layout.scratch}",
        f"-Dderby.system.home={layout.logs}",
        f"-Dderby.stream.error.file={layout.logs / 'derby.log'}",
        "-Dderby.connection.requireAuthentication=false",
        f"-Dlog4j2.configurationFile={log_configuration.as_uri()}",
    )
