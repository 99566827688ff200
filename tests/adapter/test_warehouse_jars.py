"""Delta's JARs: fetched once, stored only if intact, and a failure says what to do."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from dbt.adapters.exceptions import FailedToConnectError

from dbt.adapters.trickle.warehouses.embedded import delta_jars, jar_fetch
from dbt.adapters.trickle.warehouses.embedded.java import Java

JAVA = Java(Path("/no/java"), "17")


def never() -> threading.Event:
    return threading.Event()


def test_existing_jars_are_used_silently(tmp_path: Path) -> None:
    """Once fetched, nothing is resolved, checked or reported again."""
    folder = delta_jars.jar_folder(tmp_path)
    folder.mkdir()
    for jar in delta_jars.JARS:
        (folder / jar.file_name).write_bytes(b"jar")
    said: list[str] = []

    files = jar_fetch.ensure_jars(tmp_path, JAVA, said.append, never())

    assert [file.name for file in files] == [jar.file_name for jar in delta_jars.JARS]
    assert said == []


def test_a_broken_download_is_not_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file with wrong contents would be used for ever."""

    def truncated(scratch: Path, java: Java, log: Path) -> Path:
        log.write_text("Error: the line went dead", "utf-8")
        for jar in delta_jars.JARS:
            (scratch / jar.file_name).write_bytes(b"half")
        return scratch

    monkeypatch.setattr(jar_fetch, "_by_spark", truncated)
    monkeypatch.setattr(jar_fetch, "_by_maven", truncated)

    with pytest.raises(FailedToConnectError, match=r"could not be fetched \(Error: the line went dead\)"):
        jar_fetch.ensure_jars(tmp_path, JAVA, lambda _: None, never())

    assert delta_jars.present(tmp_path) == ()


def test_maven_is_the_second_choice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If Spark's own resolution fails, Maven's files are used, under the expected names."""

    def nothing(scratch: Path, java: Java, log: Path) -> Path:
        return scratch / "nothing"

    def everything(scratch: Path, java: Java, log: Path) -> Path:
        for jar in delta_jars.JARS:
            (scratch / f"{delta_jars.GROUP}_{jar.file_name}").write_bytes(b"jar")
        return scratch

    monkeypatch.setattr(jar_fetch, "_by_spark", nothing)
    monkeypatch.setattr(jar_fetch, "_by_maven", everything)
    monkeypatch.setattr(jar_fetch, "intact", lambda jar, file: True)

    assert len(jar_fetch.ensure_jars(tmp_path, JAVA, lambda _: None, never())) == len(delta_jars.JARS)


def test_without_any_way_the_message_lists_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine that never sees the network the five files can be put there by hand."""
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(FailedToConnectError) as refused:
        jar_fetch.ensure_jars(tmp_path, JAVA, lambda _: None, never())

    for jar in delta_jars.JARS:
        assert jar.file_name in str(refused.value.msg)
