"""How the storage is named where it is read, and where it is written."""

from __future__ import annotations

from trickle import Target
from trickle.apply.target import STORED_FILES, insert_overwrite, stored_rows
from trickle.sql.text import to_line


def test_known_files_are_read_and_the_table_is_written() -> None:
    """By the name they are given, and nothing of the table but its name as what is written."""
    target = Target(("shop", "t"), ("shop", "t__trickle"), exists=True, paths=("/w/a.parquet", "/w/b.parquet"))
    text = to_line(insert_overwrite(target, stored_rows(target, ("id",))))

    assert text.count("`t__trickle`") == 1
    assert text.count(f"`{STORED_FILES}`") == 1


def test_without_known_files_the_table_is_read() -> None:
    """What the log does not tell is Delta's to say."""
    target = Target(("shop", "t"), ("shop", "t__trickle"), exists=True)

    assert to_line(insert_overwrite(target, stored_rows(target, ("id",)))).count("`t__trickle`") == 2
