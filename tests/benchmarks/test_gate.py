"""Two results of one kind are compared by how each way relates to the plain table beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.gate import main
from benchmarks.report import document as quick_document
from benchmarks.tpch_results import document
from tests.benchmarks.test_report import _samples
from tests.benchmarks.test_tpch_results import journal, ways


def tpch(**queries: dict[str, float]) -> dict[str, Any]:
    return document(journal(queries))


def quick(**spent: float) -> dict[str, Any]:
    return quick_document(_samples("scan", 10, spent), {})


def gate(folder: Path, before: dict[str, Any], after: dict[str, Any], *options: str) -> int:
    """The exit code; quick.py prints a table before its result."""
    for name, result in (("before", before), ("after", after)):
        (folder / name).write_text(f"a table\n{json.dumps(result)}\n")
    return main([str(folder / "before"), str(folder / "after"), *options])


def test_a_slower_way_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only the one that got slower."""
    before = tpch(q01=ways(1.0, 1.0, 2.0, 2.0), q02=ways(1.0, 1.0, 2.0, 2.0))
    after = tpch(q01=ways(1.0, 1.0, 2.0, 2.0), q02=ways(1.5, 1.0, 2.0, 2.0))

    assert gate(tmp_path, before, after) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "slower: append 0.1 % q02 auto: 1.50 × the 1.00 s expected, 1.50 s",
        "6 compared, 1 slower and 0 faster by more than 1.2 ×",
    ]


def test_a_slower_machine_is_not_slower_code(tmp_path: Path) -> None:
    """Everything takes twice as long, the plain table too."""
    before, after = tpch(q01=ways(1.0, 2.0, 2.0, 2.0)), tpch(q01=ways(2.0, 4.0, 4.0, 4.0))

    assert gate(tmp_path, before, after) == 0


def test_equal_seconds_on_a_faster_machine_are_slower_code(tmp_path: Path) -> None:
    """The plain table halved, auto did not."""
    before, after = tpch(q01=ways(2.0, 2.0, 2.0, 2.0)), tpch(q01=ways(2.0, 1.0, 1.0, 1.0))

    assert gate(tmp_path, before, after) == 1


def test_the_margin_is_stated(tmp_path: Path) -> None:
    """What is within it is noise."""
    before, after = tpch(q01=ways(1.0, 1.0, 2.0, 2.0)), tpch(q01=ways(1.4, 1.0, 2.0, 2.0))

    assert gate(tmp_path, before, after, "--margin", "1.5") == 0
    assert gate(tmp_path, before, after, "--margin", "1.3") == 1


def test_milliseconds_are_noise(tmp_path: Path) -> None:
    """A refresh with nothing to do may take twice its few milliseconds."""
    before, after = tpch(q01=ways(0.02, 1.0, 2.0, 2.0)), tpch(q01=ways(0.04, 1.0, 2.0, 2.0))

    assert gate(tmp_path, before, after) == 0
    assert gate(tmp_path, before, after, "--least", "0.01") == 1


def test_what_got_faster_is_said_and_fails_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """So is what only one of them measured."""
    before = tpch(q01=ways(2.0, 1.0, 2.0, 2.0), q02=ways(1.0, 1.0, 2.0, 2.0))
    after = tpch(q01=ways(1.0, 1.0, 2.0, 2.0))

    assert gate(tmp_path, before, after) == 0
    printed = capsys.readouterr().out
    assert "faster: append 0.1 % q01 auto" in printed
    assert "only before: append 0.1 % q02 auto" in printed


def test_results_of_quick_are_compared_with_bare_creation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its plain table is called create."""
    before = quick(auto=1.0, full=2.0, incremental=1.0, create=2.0)
    after = quick(auto=2.0, full=2.0, incremental=1.0, create=2.0)

    assert gate(tmp_path, before, after) == 1
    assert "slower: scan × 10 auto: 2.00 ×" in capsys.readouterr().out


@pytest.mark.parametrize("other", [quick(auto=1.0, full=1.0, create=1.0), {**tpch(), "settings": {"scale": "10"}}, {}])
def test_what_cannot_be_compared_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], other: dict[str, Any]
) -> None:
    """Another kind, another scale, or no result at all: no exit code of a comparison."""
    assert gate(tmp_path, tpch(q01=ways(1.0, 1.0, 2.0, 2.0)), other) == 2
    assert "compare" in capsys.readouterr().err


def test_a_file_without_a_result_is_an_error(tmp_path: Path) -> None:
    """In one sentence that says what to give."""
    for name in ("before", "after"):
        (tmp_path / name).write_text("[1]\n")

    with pytest.raises(SystemExit, match="does not end in a result"):
        main([str(tmp_path / "before"), str(tmp_path / "after")])
