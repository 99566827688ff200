"""Starts Spark's Java process directly.

PySpark's own launcher runs two shell scripts and another Java to compute a command line that is constant here, chooses
itself where output goes, and cannot be interrupted.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from dbt.adapters.exceptions.connection import FailedToConnectError

from dbt.adapters.trickle.warehouses.embedded.disk import written_in

START_TIMEOUT_SECONDS = 120.0
POLL_SECONDS = 0.02

# The packages that Spark opens in the Java module system; a test compares them with Spark's own list.
_OPENED = (
    *(f"java.base/{package}" for package in (
        "java.lang", "java.lang.invoke", "java.lang.reflect", "java.io", "java.net", "java.nio", "java.util",
        "java.util.concurrent", "java.util.concurrent.atomic", "jdk.internal.ref", "sun.nio.ch", "sun.nio.cs",
        "sun.security.action", "sun.util.calendar",
    )),
    "java.security.jgss/sun.security.krb5",
)  # fmt: skip
MODULE_OPTIONS = (
    "-XX:+IgnoreUnrecognizedVMOptions",
    "--add-modules=jdk.incubator.vector",
    *(f"--add-opens={package}=ALL-UNNAMED" for package in _OPENED),
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dio.netty.allocator.type=pooled",
    "-Dio.netty.handler.ssl.defaultEndpointVerificationAlgorithm=NONE",
    "--sun-misc-unsafe-memory-access=allow",
    "--enable-native-access=ALL-UNNAMED",
)


class JavaEnded(FailedToConnectError):
    """Java ended before Spark was ready."""


@dataclass(frozen=True)
class Launch:
    """The command of the Java process and its environment."""

    java: Path
    options: tuple[str, ...]
    class_path: tuple[str, ...]
    settings_file: Path
    log: Path
    scratch: Path
    inherited_descriptors: tuple[int, ...] = ()
    arguments: tuple[str, ...] = ()

    def command(self) -> list[str]:
        return [
            str(self.java),
            "-cp",
            os.pathsep.join(self.class_path),
            *self.options,
            *MODULE_OPTIONS,
            "org.apache.spark.deploy.SparkSubmit",
            "--properties-file",
            str(self.settings_file),
            *self.arguments,
            "pyspark-shell",
        ]


@dataclass(frozen=True)
class JavaProcess:
    """A Java process that listens on `port` for clients with the `secret`; it ends when its input closes."""

    process: subprocess.Popen[bytes]
    port: int
    secret: str

    def stop(self, seconds: float) -> None:
        """Let it end by itself, and kill it if it does not."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


def start(launch: Launch, environment: Mapping[str, str], interrupted: threading.Event) -> JavaProcess:
    """Start Java and wait until its gateway listens; raises one sentence if it ends before."""
    with ExitStack() as opened:
        with written_in(launch.log.parent.parent):
            folder = opened.enter_context(tempfile.TemporaryDirectory(dir=launch.scratch))
            log = opened.enter_context(launch.log.open("wb"))
        connection_file = Path(folder, "gateway")
        process = subprocess.Popen(
            launch.command(),
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            cwd=launch.scratch,
            env={
                **environment,
                "_PYSPARK_DRIVER_CONN_INFO_PATH": str(connection_file),
                "SPARK_CONNECT_MODE": "0",
            },
            pass_fds=launch.inherited_descriptors,
            # Ctrl-C goes to the whole process group; Java must survive it, so that its jobs can be cancelled.
            start_new_session=True,
        )
        try:
            _wait_for(connection_file, process, launch.log, interrupted)
        except BaseException:
            process.kill()
            process.wait()
            raise
        return JavaProcess(process, *_read_connection(connection_file))


def _wait_for(file: Path, process: subprocess.Popen[bytes], log: Path, interrupted: threading.Event) -> None:
    waited = 0.0
    while not file.is_file():
        if process.poll() is not None:
            raise JavaEnded(
                f"Java ended while Spark was starting (exit code {process.returncode}): "
                f"{last_words(log)}; the whole output is in {log}."
            )
        if waited > START_TIMEOUT_SECONDS:
            raise FailedToConnectError(
                f"Spark did not start within {START_TIMEOUT_SECONDS:g} seconds: its output is in {log}."
            )
        if interrupted.wait(POLL_SECONDS):
            raise FailedToConnectError("Interrupted while Spark was starting.")
        waited += POLL_SECONDS


def last_words(log: Path) -> str:
    """The first line of Java's output that names a cause, else its last line."""
    printed = (line.strip() for line in log.read_text("utf-8", "replace").splitlines())
    lines = [line for line in printed if line and not line.startswith("NOTE: Picked up ")]
    causes: Sequence[str] = [line for line in lines if "rror" in line or "Exception" in line or "No space" in line]
    chosen = causes[0] if causes else (lines[-1] if lines else "it printed nothing")
    return chosen[:300].rstrip(".")


def _read_connection(file: Path) -> tuple[int, str]:
    """Spark's format: the port as four bytes, then the length of the secret and the secret."""
    content = file.read_bytes()
    port = int.from_bytes(content[0:4], "big")
    length = int.from_bytes(content[4:8], "big")
    return port, content[8 : 8 + length].decode()
