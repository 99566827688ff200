"""Finds a Java that Spark runs on, without starting it if that can be avoided."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dbt.adapters.exceptions.connection import FailedToConnectError

SUPPORTED = (17, 21)
REMEDY = "install Java 17 or 21 and, if it is not the first `java` on the PATH, set JAVA_HOME to its folder"


@dataclass(frozen=True)
class Java:
    executable: Path
    version: str

    @property
    def major(self) -> int:
        parts = re.findall(r"\d+", self.version)
        # Java 8 calls itself 1.8.
        return int(parts[1]) if parts[0] == "1" and len(parts) > 1 else int(parts[0])


def find_java(environment: Mapping[str, str]) -> Java:
    """JAVA_HOME's Java, else the first on the PATH; raises one sentence if it is missing or unsupported."""
    home = environment.get("JAVA_HOME", "")
    path = str(Path(home, "bin", "java")) if home else shutil.which("java", path=environment.get("PATH"))
    if path is None:
        raise FailedToConnectError(f"Spark needs Java and none was found: {REMEDY}.")
    executable = Path(path).resolve()
    if not executable.is_file():
        raise FailedToConnectError(f"JAVA_HOME is {home}, but there is no bin/java in it: {REMEDY}.")
    java = Java(executable, _version(executable))
    if java.major not in SUPPORTED:
        raise FailedToConnectError(f"{executable} is Java {java.major}, which Spark 4.2 does not run on: {REMEDY}.")
    return java


def _version(executable: Path) -> str:
    """The version from the installation's `release` file; `java -version` takes a tenth of a second."""
    release = executable.parent.parent / "release"
    if release.is_file():
        facts = dict(re.findall(r'^(\w+)="(.*)"$', release.read_text("utf-8", "replace"), re.MULTILINE))
        known = facts.get("JAVA_RUNTIME_VERSION") or facts.get("JAVA_VERSION")
        if known:
            return str(known)
    try:
        output = subprocess.run([str(executable), "-version"], capture_output=True, text=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError) as failure:
        raise FailedToConnectError(f"{executable} does not start ({failure}): {REMEDY}.") from failure
    match = re.search(r'version "([^"]+)"', output.stderr + output.stdout)
    if match is None:
        raise FailedToConnectError(f"{executable} does not report its version: {REMEDY}.")
    return match.group(1)
