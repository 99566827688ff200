"""Rows at the wrong positions: hidden ones that are read, and rows that came or went by the wrong vector."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dbt.adapters.trickle.history.delta_files import positions, readable_files
from tests.adapter import test_hidden_rows
from tests.adapter.log_builder import LogBuilder
from tests.planted.planting import Check, check, reword, shown_by


def in_log(test: Callable[..., None]) -> Check:
    """A test of a table whose first file is there."""

    def table(folder: Path) -> LogBuilder:
        return LogBuilder(folder / "t").create().append("f1", test_hidden_rows.ROWS)

    return check(test, table=table)


@shown_by(in_log(test_hidden_rows.test_hidden_rows_are_left_out))
def files_with_hidden_rows_are_left_out(patch: pytest.MonkeyPatch) -> None:
    """The others are named as if they were all."""
    wanted = "[Some(file, without=file.deleted) for file in files if file.hides_rows]"
    reword(patch, readable_files, "_at_version", wanted, "[]")


@shown_by(in_log(test_hidden_rows.test_hidden_rows_are_left_out))
def only_hidden_rows_are_read(patch: pytest.MonkeyPatch) -> None:
    """What a vector hides is taken for what it shows."""
    reword(patch, readable_files, "_at_version", "without=file.deleted", "only=file.deleted")


@shown_by(in_log(test_hidden_rows.test_what_a_vector_hides_more_than_the_one_before_went))
def rows_hidden_before_go_again(patch: pytest.MonkeyPatch) -> None:
    """All that the newer vector hides went, also what the older one hid."""
    reword(
        patch,
        readable_files,
        "_came_and_went",
        "Some(file, before.deleted, file.deleted",
        "Some(file, None, file.deleted",
    )


@shown_by(in_log(test_hidden_rows.test_what_a_vector_hides_more_than_the_one_before_went))
def rows_that_are_hidden_came(patch: pytest.MonkeyPatch) -> None:
    """The sign of a deletion is lost."""
    reword(
        patch,
        readable_files,
        "_came_and_went",
        "Some(file, before.deleted, file.deleted, weight=-1)",
        "Some(file, before.deleted, file.deleted)",
    )


@shown_by(in_log(test_hidden_rows.test_rows_that_are_shown_again_came))
def nothing_is_ever_shown_again(patch: pytest.MonkeyPatch) -> None:
    """A vector only grows, except when a table is restored."""
    reword(patch, readable_files, "_came_and_went", "if before.deleted is not None:", "if False:")


@shown_by(in_log(test_hidden_rows.test_of_a_file_that_went_hidden_rows_went_before))
def hidden_rows_go_with_their_file(patch: pytest.MonkeyPatch) -> None:
    """Of a file that was rewritten every row goes, also those that had gone."""
    reword(patch, readable_files, "_came_and_went", "Some(file, file.deleted, weight=-1)", "Some(file, weight=-1)")


@shown_by(in_log(test_hidden_rows.test_the_files_of_the_feed_say_what_their_commit_did))
def feed_and_vectors_are_both_read(patch: pytest.MonkeyPatch) -> None:
    """What an UPDATE did counts twice."""
    reword(patch, readable_files, "_came_and_went", "            continue\n", "")


@shown_by(in_log(test_hidden_rows.test_compacted_rows_neither_came_nor_went))
def compacted_rows_came_and_went(patch: pytest.MonkeyPatch) -> None:
    """Files that hold the same rows as before are read as changes."""
    reword(patch, readable_files, "_came_and_went", "(commit.added, commit.removed)", "(commit.adds, commit.removes)")


@shown_by(in_log(test_hidden_rows.test_a_vector_is_read_whole_or_not_at_all))
def a_damaged_vector_is_read(patch: pytest.MonkeyPatch) -> None:
    """Its checksum is not compared."""
    checked = 'len(content) != size or zlib.crc32(content) != int.from_bytes(checksum, "big")'
    reword(patch, positions, "_content", checked, "len(content) != size")


@shown_by(in_log(test_hidden_rows.test_what_a_vector_hides_more_than_the_one_before_went))
def a_difference_is_taken_the_other_way(patch: pytest.MonkeyPatch) -> None:
    """What the older vector hides and the newer one does not."""
    reword(patch, positions, "meant", "only - without", "without - only")
