"""What runs today of the long tests is a share of each kind, and sooner or later all of them."""

from __future__ import annotations

import pytest

from tests.rotation import NEVER, ONE_IN, ROOT, is_drawn, is_long

COMMITS = [f"{number:040x}" for number in range(1, 401)]


@pytest.mark.parametrize("prefix", [*ONE_IN, *NEVER])
def test_every_long_kind_names_a_file(prefix: str) -> None:
    """A file that was renamed would run whole every day."""
    assert (ROOT / prefix.partition("::")[0]).is_file()


@pytest.mark.parametrize("prefix", ONE_IN)
def test_every_test_comes_round(prefix: str) -> None:
    """Each is drawn about once in its share of commits."""
    drawn = sum(is_drawn(f"{prefix}::test_of_something", commit) for commit in COMMITS)

    assert is_long(f"{prefix}::test_of_something")
    assert len(COMMITS) / ONE_IN[prefix] / 2 < drawn < len(COMMITS) / ONE_IN[prefix] * 2


def test_one_commit_draws_the_same_every_time() -> None:
    """Both workers, and whoever repeats a failure, agree."""
    tests = [f"tests/spark/test_cases.py::test_case_holds_on_spark[{number}]" for number in range(300)]

    first = [test for test in tests if is_drawn(test, COMMITS[0])]

    assert first == [test for test in tests if is_drawn(test, COMMITS[0])]
    assert first != [test for test in tests if is_drawn(test, COMMITS[1])]


def test_without_a_commit_nothing_is_drawn() -> None:
    """`make night` runs all of them, and an archive of the sources has no commit."""
    assert not is_drawn("tests/spark/test_cases.py::test_case_holds_on_spark[1]", "")
