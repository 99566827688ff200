"""Delta Lake's JARs: fetched once, checked, stored in the user's cache, used offline from then on."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

GROUP = "io.delta"
# The Python package is released more often than its JARs; these are the newest for Spark 4.2.
VERSION = "4.4.0"


@dataclass(frozen=True)
class Jar:
    """An artifact and its checksum, which detects a broken download."""

    artifact: str
    sha256: str

    @property
    def file_name(self) -> str:
        return f"{self.artifact}-{VERSION}.jar"

    @property
    def coordinate(self) -> str:
        return f"{GROUP}:{self.artifact}:{VERSION}"


# Delta depends on 33 artifacts; Spark includes all but these five.
JARS = (
    Jar("delta-spark_4.2_2.13", "27d4fd8b1f879535c573ed1c718177d6a27f24d3e626ba02e216369725721ead"),
    Jar("delta-storage", "c46735481fa8e326b0957be02b4420cbcab4b325bb08009b7f2045a95133f1cc"),
    Jar("delta-kernel-api", "ee9b5a14ac3b7efdff4d61a58478fe8eb0e5a3fbca43889dca7290795fe79a11"),
    Jar("delta-kernel-defaults", "225c975199e4718b38ee5b7e6da7f19e9585024262b2cec2656b32151a856b0b"),
    Jar("delta-kernel-unitycatalog", "cea22dfb4ac562b3cd27bf652697750e8336009d73fb06631363aaaad5345ffa"),
)


def jar_folder(cache: Path) -> Path:
    return cache / f"delta-{VERSION}"


def present(cache: Path) -> tuple[Path, ...]:
    """The five files if all exist, else none."""
    files = tuple(jar_folder(cache) / jar.file_name for jar in JARS)
    return files if all(file.is_file() for file in files) else ()


def intact(jar: Jar, file: Path) -> bool:
    return file.is_file() and hashlib.sha256(file.read_bytes()).hexdigest() == jar.sha256
