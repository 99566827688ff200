"""The SQL the engine writes is the SQL that was read and agreed to."""

from __future__ import annotations

import pytest
import sqlglot

from tests.snapshots.catalogue import SNAPSHOTS
from tests.snapshots.snapshot import FOLDER, Snapshot


@pytest.mark.parametrize("snapshot", SNAPSHOTS.values(), ids=SNAPSHOTS.keys())
def test_the_engine_writes_what_the_file_holds(snapshot: Snapshot) -> None:
    """A file differs only when somebody meant it: look at the difference, then write the file by its name."""
    text = snapshot.text()

    assert snapshot.file.is_file(), f"run: python -m tests.snapshots {snapshot.name}"
    assert snapshot.file.read_text("utf-8") == text, f"if this is meant: python -m tests.snapshots {snapshot.name}"


@pytest.mark.parametrize("snapshot", SNAPSHOTS.values(), ids=SNAPSHOTS.keys())
def test_what_is_written_is_sql(snapshot: Snapshot) -> None:
    """Every statement of a snapshot can be parsed, and no part of it is left as text nobody understood."""
    for statement in sqlglot.parse(snapshot.text(), dialect="spark"):
        assert statement is not None
        assert not isinstance(statement, sqlglot.exp.Command)


def test_every_file_belongs_to_a_snapshot() -> None:
    """A file that no snapshot writes would be believed and never checked."""
    files = {file.relative_to(FOLDER).with_suffix("").as_posix() for file in FOLDER.glob("*/*.sql")}

    assert files == set(SNAPSHOTS)
