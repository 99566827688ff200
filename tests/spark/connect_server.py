"""A Spark Connect server with Delta for tests: a process of its own on a port of its own, gone when the test is.

Run as a program, it prints its port and serves until its standard input is closed, so that it ends with its parent
however the parent ends.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PORT = "port "
HEAP = "1g"


@contextmanager
def connect_server(folder: Path) -> Iterator[str]:
    """The address of a running server; `folder` is its warehouse, its scratch and its log."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "server.log").open("wb") as log:
        command = [sys.executable, str(Path(__file__)), str(folder)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, cwd=folder)
        try:
            yield f"sc://127.0.0.1:{_port(process, folder)}"
        finally:
            assert process.stdin is not None
            process.stdin.close()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            assert process.stdout is not None
            process.stdout.close()


def _port(process: subprocess.Popen[bytes], folder: Path) -> int:
    assert process.stdout is not None
    for line in process.stdout:
        text = line.decode("utf-8", "replace")
        if text.startswith(PORT):
            return int(text.removeprefix(PORT))
    raise AssertionError(f"the Spark Connect server did not start: see {folder / 'server.log'}")


def serve(folder: Path) -> None:
    """Start Spark with the Connect plugin, print the port, and wait for the end of the standard input."""
    # The classic PySpark starts the server; it is not to take itself for a client.
    os.environ.pop("SPARK_REMOTE", None)
    from pyspark.sql import SparkSession

    session = SparkSession.builder.config(map=_settings(folder)).getOrCreate()
    # Nothing public tells the port that the server has chosen.
    service = getattr(session._jvm, "org.apache.spark.sql.connect.service.SparkConnectService$")  # noqa: SLF001
    print(f"{PORT}{getattr(service, 'MODULE$').localPort()}", flush=True)
    sys.stdin.read()
    session.stop()


def _settings(folder: Path) -> dict[str, str]:
    from dbt.adapters.trickle.warehouses.embedded.cache import cache_folder
    from dbt.adapters.trickle.warehouses.embedded.delta_jars import present

    jars = os.pathsep.join(map(str, present(cache_folder(os.environ))))
    return {
        "spark.master": "local[2]",
        "spark.driver.memory": HEAP,
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.extraClassPath": jars,
        "spark.ui.enabled": "false",
        "spark.local.dir": str(folder / "scratch"),
        "spark.sql.warehouse.dir": str(folder / "data"),
        "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": "0",
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "1",
        "spark.databricks.delta.snapshotPartitions": "1",
        "spark.databricks.delta.properties.defaults.enableChangeDataFeed": "true",
    }


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
