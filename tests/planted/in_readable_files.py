"""Wrong choices of files: those that are named must hold exactly the rows they are named for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dbt.adapters.trickle.history.delta_files import appended, plain_files, readable_files, whole_files
from tests.adapter import test_delta_log_appended, test_delta_log_held, test_readable_files
from tests.planted.planting import Check, check, reword, shown_by


def in_log(test: Callable[..., None]) -> Check:
    """A test of a table whose first file is there."""
    return check(test, table=test_readable_files.table_in)


def in_folder(test: Callable[..., None]) -> Check:
    def own(folder: Path) -> Path:
        return folder

    return check(test, tmp_path=own)


@shown_by(in_log(test_readable_files.test_an_append_is_read_by_its_own_files))
def what_was_there_is_there_now(patch: pytest.MonkeyPatch) -> None:
    """The files of the version that was read last are named for the present rows."""
    reword(
        patch,
        readable_files,
        "readable_files",
        "now = _at_version(log, probe.now.version, definition)",
        "now = _at_version(log, (changes.since if changes else probe.now).version, definition)",
    )


@shown_by(in_log(test_readable_files.test_an_append_is_read_by_its_own_files))
def what_is_there_was_there(patch: pytest.MonkeyPatch) -> None:
    """The present files are named for the rows of before: what came has always been there."""
    reword(
        patch,
        readable_files,
        "readable_files",
        "log, changes.since.version, definition)\n",
        "log, probe.now.version, definition)\n",
    )


@shown_by(in_log(test_readable_files.test_an_append_is_read_by_its_own_files))
def the_last_version_read_is_read_again(patch: pytest.MonkeyPatch) -> None:
    """The files of the commit that was read last are added once more."""
    reword(patch, readable_files, "readable_files", "changes.since.version + 1", "changes.since.version")


@shown_by(in_log(test_readable_files.test_an_append_is_read_by_its_own_files))
def only_the_last_commit_added_files(patch: pytest.MonkeyPatch) -> None:
    """Two appends between two refreshes are one."""
    reword(patch, readable_files, "_added", "for commit in commits for", "for commit in commits[-1:] for")


@shown_by(in_log(test_readable_files.test_rewritten_files_are_no_new_rows))
def rewritten_files_are_new_rows(patch: pytest.MonkeyPatch) -> None:
    """What OPTIMIZE wrote is added to what it was written of."""
    reword(patch, readable_files, "_added", "in commit.added]", "in commit.adds]")


@shown_by(in_log(test_readable_files.test_a_file_in_the_place_of_another_is_a_change_of_all_its_rows))
def a_rewritten_file_is_an_append(patch: pytest.MonkeyPatch) -> None:
    """The rows that a DELETE kept are taken for new ones."""
    reword(patch, readable_files, "readable_files", "isinstance(probe.happened, Appended)", "commits")


@shown_by(in_log(test_readable_files.test_a_definition_with_the_same_columns_leaves_the_present_rows))
def a_definition_is_what_it_always_was(patch: pytest.MonkeyPatch) -> None:
    """Older files are read under the columns of today."""
    reword(patch, readable_files, "readable_files", "commit.metadata is not None", "False")


@shown_by(
    in_folder(test_readable_files.test_files_that_say_less_than_the_table_are_left_to_delta),
    in_folder(test_delta_log_held.test_a_file_without_all_of_its_columns_is_not_read_alone),
)
def every_table_is_plain(patch: pytest.MonkeyPatch) -> None:
    """Partitions, mapped names and widened types are looked for in the files."""
    reword(patch, plain_files, "is_plain", "return (", "return True or (")


@shown_by(in_folder(test_readable_files.test_files_that_say_less_than_the_table_are_left_to_delta))
def a_partition_is_in_the_files(patch: pytest.MonkeyPatch) -> None:
    """Statistics of a file that some writer gave for all columns are believed."""
    reword(patch, plain_files, "is_plain", "definition.named_in_files", "True")


@shown_by(
    in_log(test_readable_files.test_a_file_whose_columns_are_not_known_is_left_to_delta),
    in_log(test_readable_files.test_a_column_that_came_before_the_last_read_is_in_no_older_file),
)
def every_file_has_every_column(patch: pytest.MonkeyPatch) -> None:
    """A column that came later is asked of the older files as well."""
    reword(patch, plain_files, "has_columns", "return all(", "return True or all(")


@shown_by(in_log(test_readable_files.test_a_column_that_came_before_the_last_read_is_in_no_older_file))
def a_file_that_has_some_columns_has_all(patch: pytest.MonkeyPatch) -> None:
    """That there are statistics is taken for enough."""
    reword(patch, plain_files, "has_columns", "return all(", "return any(")


@shown_by(in_folder(test_delta_log_held.test_rows_hidden_by_a_deletion_vector_are_not_read))
def hidden_rows_are_read(patch: pytest.MonkeyPatch) -> None:
    """A file with a deletion vector is named: rows that are gone come back."""
    reword(patch, plain_files, "paths_of", "any(file.hides_rows for file in files)", "False")


@shown_by(
    in_log(test_readable_files.test_a_file_in_the_place_of_another_is_a_change_of_all_its_rows),
    in_folder(test_delta_log_held.test_replaced_files_are_not_named),
)
def removed_files_are_still_listed(patch: pytest.MonkeyPatch) -> None:
    """What a commit removed is named beside what it added."""
    reword(patch, whole_files, "_left", "for file in commit.removes:", "for file in ():")


@shown_by(in_log(test_readable_files.test_rows_hidden_nobody_knows_how_are_left_to_delta))
def a_file_that_is_added_again_is_gone(patch: pytest.MonkeyPatch) -> None:
    """A commit's files are removed after they are added: a deletion vector takes its file away."""
    reword(
        patch,
        whole_files,
        "_left",
        "        for file in commit.removes:\n            current.pop(file.path, None)\n"
        "        current.update((file.path, file) for file in commit.adds)",
        "        current.update((file.path, file) for file in commit.adds)\n"
        "        for file in commit.removes:\n            current.pop(file.path, None)",
    )


@shown_by(in_folder(test_readable_files.test_a_part_that_is_overwritten_leaves_the_others))
def a_part_that_is_overwritten_is_the_whole(patch: pytest.MonkeyPatch) -> None:
    """Files of other partitions or values are not looked for before an INSERT OVERWRITE of some."""
    reword(
        patch,
        whole_files,
        "_writes_all",
        'dict(commit.parameters) == {"mode": "Overwrite", "partitionBy": "[]"}',
        'commit.parameters.get("mode") == "Overwrite"',
    )


@shown_by(in_folder(test_delta_log_held.test_a_cleaned_log_is_not_guessed))
def commits_that_are_gone_added_nothing(patch: pytest.MonkeyPatch) -> None:
    """The search for the last whole write ends at the first commit that is missing."""
    reword(patch, whole_files, "_since_all_written", "return None\n        commits", "return commits\n        commits")


@shown_by(
    in_folder(test_readable_files.test_a_long_log_is_read_from_its_checkpoint),
    in_folder(test_delta_log_held.test_a_table_written_whole_long_ago_is_not_searched_for),
)
def older_commits_added_nothing(patch: pytest.MonkeyPatch) -> None:
    """Where the search is given up, what was found is taken for all."""
    reword(
        patch,
        whole_files,
        "_since_all_written",
        "            return commits\n    return None",
        "            return commits\n    return commits",
    )


@shown_by(in_folder(test_readable_files.test_a_checkpoint_names_the_files_that_the_commits_name))
def the_last_commit_is_read_first(patch: pytest.MonkeyPatch) -> None:
    """A file is removed before it is added, and stays."""
    reword(patch, whole_files, "_left", "reversed(newest_first)", "newest_first")


@shown_by(in_folder(test_delta_log_appended.test_compacted_files_are_not_read_by_path))
def names_that_the_table_has_lost_are_asked_of_it(patch: pytest.MonkeyPatch) -> None:
    """Files that were compacted since are looked for by name in a table that no longer has them."""
    reword(patch, appended, "added_files", "any(commit.removes for commit in commits)", "False")
