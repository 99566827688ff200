"""Finding Java: the right one is used, a wrong or missing one is one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from dbt.adapters.exceptions import FailedToConnectError

from dbt.adapters.trickle.warehouses.embedded.java import find_java
from dbt.adapters.trickle.warehouses.embedded.machine import cached_snapshots, collector, page_of


def install(folder: Path, release: str | None, says: str = "") -> Path:
    """A Java installation that is only a shell script and a `release` file."""
    executable = folder / "bin" / "java"
    executable.parent.mkdir(parents=True)
    executable.write_text(f"#!/bin/sh\necho '{says}' >&2\n", "utf-8")
    executable.chmod(0o755)
    if release is not None:
        (folder / "release").write_text(f'JAVA_VERSION="{release}"\n', "utf-8")
    return folder


@pytest.mark.parametrize("release", ["17.0.15", "21"])
def test_a_supported_java_is_taken_from_java_home(tmp_path: Path, release: str) -> None:
    """JAVA_HOME wins over the PATH."""
    right = install(tmp_path / "right", release)
    wrong = install(tmp_path / "wrong", "25.0.1")

    found = find_java({"JAVA_HOME": str(right), "PATH": str(wrong / "bin")})

    assert found.executable == right / "bin" / "java"
    assert found.version == release


def test_without_java_home_the_path_is_searched(tmp_path: Path) -> None:
    """The first java on the PATH is the one a shell would start."""
    home = install(tmp_path / "home", "17.0.1")

    assert find_java({"PATH": str(home / "bin")}).executable == home / "bin" / "java"


def test_a_java_without_release_file_is_started(tmp_path: Path) -> None:
    """Some installations have no `release` file; then Java itself reports its version."""
    home = install(tmp_path / "home", None, says='openjdk version "21.0.2" 2024-01-16')

    assert find_java({"JAVA_HOME": str(home)}).major == 21


@pytest.mark.parametrize(("release", "major"), [("1.8.0_402", 8), ("11.0.2", 11), ("25.0.1", 25)])
def test_an_unsupported_java_is_refused_by_its_number(tmp_path: Path, release: str, major: int) -> None:
    """Spark would fail on it much later and much less clearly."""
    home = install(tmp_path / "home", release)

    with pytest.raises(FailedToConnectError, match=rf"is Java {major},.*install Java 17 or 21"):
        find_java({"JAVA_HOME": str(home)})


def test_no_java_at_all_is_one_sentence(tmp_path: Path) -> None:
    """The message says what is missing and how to get it."""
    with pytest.raises(FailedToConnectError, match="needs Java and none was found: install Java 17 or 21"):
        find_java({"PATH": str(tmp_path)})


def test_a_java_home_without_java_is_named(tmp_path: Path) -> None:
    """A wrong JAVA_HOME is the user's to correct, so it is not silently passed over."""
    with pytest.raises(FailedToConnectError, match=f"JAVA_HOME is {tmp_path}"):
        find_java({"JAVA_HOME": str(tmp_path)})


@pytest.mark.parametrize("name", ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"])
def test_a_collector_of_the_user_is_left_alone(name: str) -> None:
    """Java refuses to start with two."""
    assert collector({name: "-Xss4m -XX:+UseG1GC"}) == ()
    assert collector({name: "-XX:+UseStringDeduplication"}) == collector({}) == ("-XX:+UseParallelGC",)


def test_delta_caches_as_many_tables_as_fit_a_third_of_the_heap() -> None:
    """In any notation of Java's; an invalid size counts as small."""
    assert [cached_snapshots(heap) for heap in ("2g", "512M", "1t", "2097152k", "3221225472", "much")] == [
        113,
        28,
        58254,
        113,
        170,
        56,
    ]
    assert cached_snapshots("64m") == 16


def test_spark_takes_a_megabyte_at_a_time_of_a_small_heap() -> None:
    """8192 pages are the whole of a larger heap as well."""
    assert [page_of(heap) for heap in ("512M", "8g", "9g", "32g")] == ["1m", "1m", "2m", "4m"]
