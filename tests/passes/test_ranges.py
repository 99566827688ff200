"""Ranges: unions, intersections, and which files they leave out."""

from __future__ import annotations

from trickle.plan.ranges import MAX_INTERVALS, ColumnStatistics, FileStatistics, Ranges, ranges


def test_intervals_that_meet_are_one() -> None:
    """Also where one lies inside another; those that only lie side by side stay apart."""
    assert ranges([(5, 9), (1, 5)]).intervals == ((1, 9),)
    assert ranges([(1, 9), (2, 3)]).intervals == ((1, 9),)
    assert ranges([(1, 2), (3, 4)]).intervals == ((1, 2), (3, 4))
    assert ranges([(1, 1), (1, 4), (0, 1)]).intervals == ((0, 4),)


def test_too_many_are_made_one() -> None:
    """As many as are allowed stay."""
    apart = [(place * 10, place * 10 + 1) for place in range(MAX_INTERVALS + 1)]

    assert len(ranges(apart[:MAX_INTERVALS]).intervals) == MAX_INTERVALS
    assert ranges(apart).intervals == ((0, MAX_INTERVALS * 10 + 1),)


def test_null_is_a_value_like_another() -> None:
    """In a union when it is in either, in an intersection when it is in both."""
    plain, null = Ranges(((1, 2),)), Ranges(((2, 3),), null=True)

    assert (plain | null).null and (null | plain).null and not (plain | plain).null
    assert not (plain & null).null and not (null & plain).null and (null & null).null
    assert null.without_null == Ranges(((2, 3),))


def test_an_intersection_is_what_lies_in_both() -> None:
    """The ends belong to an interval."""
    wide = Ranges(((1, 5), (8, 9)))

    assert wide & Ranges(((5, 8),)) == Ranges(((5, 5), (8, 8)))
    assert wide & Ranges(((6, 7),)) == Ranges()
    assert wide & Ranges(((0, 99),)) == wide


def test_nothing_is_empty() -> None:
    """Neither a value nor NULL."""
    assert Ranges().empty
    assert not Ranges(null=True).empty
    assert not Ranges(((1, 1),)).empty


def test_files_are_left_out_by_what_they_hold() -> None:
    """Of a file that says nothing of the column anything may be in it; one without rows holds nothing."""
    statistics = ColumnStatistics(
        files=(
            FileStatistics(1, {"k": Ranges(((1, 2),))}),
            FileStatistics(2, {"k": Ranges(null=True)}),
            FileStatistics(5, {}, rows=0),
        )
    )

    assert statistics.share("k", Ranges(((2, 9),))) == 1 / 8
    assert statistics.share("k", Ranges(((3, 9),))) == 0
    assert statistics.share("k", Ranges(null=True)) == 2 / 8
    assert statistics.share("other", Ranges(((3, 9),))) == 3 / 8
    assert ColumnStatistics(files=(FileStatistics(1, {}, rows=3),)).share("k", Ranges(((3, 9),))) == 1.0
    assert ColumnStatistics().share("k", Ranges(((3, 9),))) == 1.0
    assert ColumnStatistics(files=(FileStatistics(0, {"k": Ranges()}),)).share("k", Ranges()) == 1.0
