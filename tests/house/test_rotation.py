"""What runs today of the long tests is a share of each kind, and sooner or later all of them."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.rotation import EVERY_DAY, NEVER, ONE_IN, ROOT, drawn, is_long, kind_of

COMMITS = [f"{number:040x}" for number in range(1, 401)]
ROTATED = [prefix for prefix, share in ONE_IN.items() if share > EVERY_DAY]
SUITE = "tests/adapter_suites/test_of_dbt.py"


def of_kind(prefix: str, count: int) -> list[str]:
    """Tests whose ids begin so, and no other class of theirs is drawn with them."""
    return [f"{prefix}::Test{number}::test_something" for number in range(count)]


@pytest.mark.parametrize("prefix", [*ONE_IN, *NEVER])
def test_every_long_kind_names_what_is_there(prefix: str) -> None:
    """A file or a test that was renamed would run whole every day, or not every day."""
    file, _, test = prefix.partition("::")

    assert (ROOT / file).exists()
    assert not test or f"def {test}(" in (ROOT / file).read_text("utf-8")


@pytest.mark.parametrize("prefix", ROTATED)
@pytest.mark.parametrize("count", [1, 2, 7, 40])
def test_every_commit_draws_some_of_each_kind(prefix: str, count: int) -> None:
    """Its share of them, and one at least."""
    tests = of_kind(prefix, count)

    assert all(is_long(test) for test in tests)
    for commit in COMMITS[:20]:
        assert len(drawn(tests, commit)) == max(1, -(-count // ONE_IN[prefix]))


@pytest.mark.parametrize("prefix", ROTATED)
def test_every_test_comes_round(prefix: str) -> None:
    """None is drawn much less often than the others."""
    tests = of_kind(prefix, 2 * ONE_IN[prefix])
    times = Counter(test for commit in COMMITS for test in drawn(tests, commit))

    assert set(times) == set(tests)
    assert min(times.values()) > len(COMMITS) / ONE_IN[prefix] / 4


def test_what_shows_the_whole_path_runs_every_day() -> None:
    """The longest beginning counts: one test of a file runs every day, the others take turns."""
    file = "tests/spark/test_stream_table_refresh.py"

    assert not is_long(f"{file}::test_built_kept_up_and_left_alone")
    assert is_long(f"{file}::test_a_lost_view_is_put_back")
    assert kind_of(f"{file}::test_a_lost_view_is_put_back") == file
    assert kind_of("tests/spark/test_that_is_new.py::test_a") == "tests/spark/"


def test_a_suite_is_drawn_by_class() -> None:
    """What a class of dbt's builds is built once for all of its tests."""
    tests = [f"{SUITE}::Test{group}::test_{number}" for group in range(12) for number in range(3)]

    for commit in COMMITS[:20]:
        today = drawn(tests, commit)
        assert len(today) == 6
        assert len({test.rpartition("::")[0] for test in today}) == 2


def test_one_commit_draws_the_same_every_time() -> None:
    """Both workers, and whoever repeats a failure, agree."""
    tests = [f"tests/spark/test_cases.py::test_case_holds_on_spark[{number}]" for number in range(300)]

    first = drawn(tests, COMMITS[0])

    assert first == drawn(reversed(tests), COMMITS[0])
    assert first != drawn(tests, COMMITS[1])


def test_what_is_no_long_test_is_not_drawn() -> None:
    """It runs anyway, and what is never drawn runs at night only."""
    short, never = "tests/sql/test_parse.py::test_a", f"{NEVER[0]}::test_a"

    assert (is_long(short), is_long(never)) == (False, True)
    assert drawn([short, never], COMMITS[0]) == frozenset()


def test_without_a_commit_nothing_is_drawn() -> None:
    """`make night` runs all of them, and an archive of the sources has no commit."""
    assert drawn(of_kind("tests/spark/test_cases.py", 100), "") == frozenset()
