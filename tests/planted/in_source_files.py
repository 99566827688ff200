"""Files under a wrong name, or read as what they are not."""

from __future__ import annotations

import pytest

from tests.catalog import test_read_columns
from tests.planted.planting import check, reword, shown_by
from tests.render import test_source_files
from trickle.catalog import source_columns, source_files
from trickle.catalog.change_sources import named_files as by_name
from trickle.catalog.change_sources.named_files import NamedFiles
from trickle.planning import binding, named_files, pinned_text

NAMED = check(test_source_files.test_exactly_the_files_that_are_read_are_named)
BY_NAME = check(test_read_columns.test_appended_files_are_read_in_the_types_of_the_table)


@shown_by(NAMED)
def now_is_read_by_the_files_of_before(patch: pytest.MonkeyPatch) -> None:
    """A table that a change meets is the one of the last refresh."""
    reword(patch, binding, "_reads", 'name_of_files(number, "now")', 'name_of_files(number, "before")')


@shown_by(NAMED)
def before_is_read_by_the_files_of_now(patch: pytest.MonkeyPatch) -> None:
    """What changed on both sides of a join counts twice."""
    reword(patch, binding, "_reads", 'name_of_files(number, "before")', 'name_of_files(number, "now")')


@shown_by(NAMED)
def files_of_two_moments_change_names(patch: pytest.MonkeyPatch) -> None:
    """What is called before holds the rows of now."""
    reword(patch, named_files, "named_files", '("now", files.now), ("before"', '("before", files.now), ("now"')


@shown_by(NAMED)
def sources_are_numbered_from_nought(patch: pytest.MonkeyPatch) -> None:
    """A statement reads the first source by the name of the second."""
    reword(patch, named_files, "named_files", "enumerate(view.sources, 1)", "enumerate(view.sources)")


@shown_by(check(test_source_files.test_names_of_many_sources_are_told_apart))
def the_beginning_of_a_name_is_a_name(patch: pytest.MonkeyPatch) -> None:
    """The first source's files are opened for whoever reads the eleventh's."""
    reword(
        patch,
        named_files,
        "named_files",
        'any(f"`{name}`" in text for text in texts)',
        'any(name.rpartition("_")[0] in text for text in texts)',
    )


@shown_by(check(test_source_files.test_rows_that_came_and_went_say_so_themselves))
def rows_that_went_came(patch: pytest.MonkeyPatch) -> None:
    """The weight of each row of a change is not read."""
    reword(patch, source_files, "changes_in", "column(WEIGHT) if signed else None", "None")


@shown_by(check(test_source_files.test_recomputing_reads_the_same_files))
def recomputing_reads_the_files_of_before(patch: pytest.MonkeyPatch) -> None:
    """The user's own text over the rows of the last refresh."""
    reword(patch, pinned_text, "pinned_now", 'name_of_files(number, "now")', 'name_of_files(number, "before")')


@shown_by(
    check(test_source_files.test_rows_of_a_stream_table_are_repeated_by_their_count),
    check(test_source_files.test_a_stream_table_below_is_read_by_its_files),
)
def a_stored_row_is_one_row(patch: pytest.MonkeyPatch) -> None:
    """Equal rows of a stream table are stored once, and so they are read."""
    reword(patch, source_files, "rows_in", "if isinstance(source, StreamTable):", "if False:")


@shown_by(check(test_source_files.test_changes_of_a_stream_table_weigh_their_count))
def hidden_rows_of_a_stream_table_are_added(patch: pytest.MonkeyPatch) -> None:
    """A group that HAVING hides comes with weight 0."""
    reword(patch, source_columns, "rows_of", "if stream:\n        # A", "if False:\n        # A")


@shown_by(check(test_source_files.test_changes_of_a_stream_table_weigh_their_count))
def a_stored_row_weighs_one(patch: pytest.MonkeyPatch) -> None:
    """Its count is not read where it is added."""
    reword(
        patch, source_columns, "rows_of", "weight = column(COUNT) if sign is None", "weight = weight if sign is None"
    )


@shown_by(BY_NAME)
def files_are_looked_for_in_the_table_of_today(patch: pytest.MonkeyPatch) -> None:
    """Which may have been compacted since."""
    reword(patch, NamedFiles, "relation", "None, self.version)", "None, None)")


@shown_by(BY_NAME)
def rows_of_every_file_were_added(patch: pytest.MonkeyPatch) -> None:
    """Bounds are all that is asked of a row."""
    reword(patch, NamedFiles, "relation", "all_of([added, *", "all_of([*")


@shown_by(check(test_read_columns.test_all_files_that_were_added_are_named))
def one_file_was_added(patch: pytest.MonkeyPatch) -> None:
    """The others of an append are not read."""
    reword(patch, NamedFiles, "relation", "for file in self.names]", "for file in self.names[:1]]")


@shown_by(BY_NAME)
def a_bound_leaves_out_null(patch: pytest.MonkeyPatch) -> None:
    """A row without a value lies in no range."""
    keep = by_name.in_ranges
    patch.setattr(by_name, "in_ranges", lambda tree, wanted: keep(tree, wanted.without_null))


@shown_by(check(test_read_columns.test_appended_rows_of_a_stream_table_are_read_from_its_storage))
def the_view_is_asked_for_its_files(patch: pytest.MonkeyPatch) -> None:
    """A facade has none, and no version either."""
    reword(patch, NamedFiles, "relation", "physical_name(source)", "source.name")
