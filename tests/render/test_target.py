"""How the storage is named where it is read, and where it is written."""

from __future__ import annotations

from trickle import Target
from trickle.apply.target import insert_overwrite, stored_rows
from trickle.sql.text import to_line


def test_known_files_are_read_and_the_table_is_written() -> None:
    """All of the files, and nothing of the table but its name as what is written."""
    target = Target(("shop", "t"), ("shop", "t__trickle"), exists=True, paths=("/w/a.parquet", "/w/b.parquet"))
    text = to_line(insert_overwrite(target, stored_rows(target, ("id",))))

    assert text.count("`t__trickle`") == 1
    assert "`parquet`.`/w/a.parquet`" in text
    assert "`parquet`.`/w/b.parquet`" in text
    assert "UNION ALL" in text


def test_without_known_files_the_table_is_read() -> None:
    """What the log does not tell is Delta's to say."""
    target = Target(("shop", "t"), ("shop", "t__trickle"), exists=True)

    assert to_line(insert_overwrite(target, stored_rows(target, ("id",)))).count("`t__trickle`") == 2


def test_only_the_columns_of_the_storage_are_read_of_its_files() -> None:
    """A file that a MERGE wrote holds the feed's columns as well, and another file does not."""
    paths = ("/w/a.parquet", "/w/b.parquet")
    target = Target(("shop", "t"), ("shop", "t__trickle"), exists=True, paths=paths, columns=("id", "__trickle_count"))

    text = to_line(stored_rows(target, ("id",)))

    assert "*" not in text
    assert text.count("SELECT `id`, `__trickle_count` FROM `parquet`") == 2
