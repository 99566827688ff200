"""A measurement that is cut off goes on after its last whole round."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.journal import BUILD, Journal, Record, Round, conflict, remaining, whole_rounds

WANTED = {"append": 0.1}
SETTINGS = {"scale": "1", "clustered": False, "queries": ["q01"]}


def begun(number: int, regime: str = "append", measured: bool = True) -> Record:
    return {"kind": "round", **asdict(Round(number, regime, 0.1, measured))}


def ended(number: int) -> Record:
    return {"kind": "end", "round": number}


def done(number: int, regime: str = "append", measured: bool = True) -> list[Record]:
    return [begun(number, regime, measured), ended(number)]


def left(records: list[Record], rounds: int = 2, wanted: dict[str, float] = WANTED) -> list[tuple[int, str, bool]]:
    return [(one.number, one.regime, one.measured) for one in remaining(records, wanted, rounds)]


def test_everything_is_built_before_anything_changes() -> None:
    """Then each regime has one round that is not measured, and those that are."""
    assert left([], rounds=2, wanted={"append": 0.1, "mixed": 1.0}) == [
        (0, BUILD, False),
        (1, "append", False),
        (2, "append", True),
        (3, "append", True),
        (4, "mixed", False),
        (5, "mixed", True),
        (6, "mixed", True),
    ]


def test_another_process_does_what_is_missing() -> None:
    """Its Java is cold, so that it has an unmeasured round of its own; measured rounds are not repeated."""
    records = [*done(0, BUILD, measured=False), *done(1, measured=False), *done(2)]

    assert left(records, rounds=3) == [(3, "append", False), (4, "append", True), (5, "append", True)]


def test_a_round_without_an_end_counts_not() -> None:
    """Its number is not used again, because its new orders may be in the tables."""
    records = [*done(0, BUILD, measured=False), *done(1, measured=False), begun(2)]

    assert left(records, rounds=1) == [(3, "append", False), (4, "append", True)]
    assert set(whole_rounds(records)) == {0, 1}


def test_a_build_that_was_cut_off_is_done_again() -> None:
    """Otherwise a first build could be measured."""
    assert left([begun(0, BUILD, measured=False)], rounds=1)[0] == (1, BUILD, False)


def test_what_is_measured_needs_no_more_rounds() -> None:
    """Nothing is done for a regime that has its rounds; another percentage is another measurement."""
    records = [*done(0, BUILD, measured=False), *done(1, measured=False), *done(2)]

    assert left(records, rounds=1) == []
    assert left(records, rounds=1, wanted={"append": 0.2}) == [(3, "append", False), (4, "append", True)]


def test_beginning_afresh_counts_nothing_from_before() -> None:
    """But tables stay built, and numbers go on: the keys of earlier rounds are in the tables."""
    records = [*done(0, BUILD, measured=False), *done(1, measured=False), *done(2), {"kind": "afresh"}]

    assert left(records, rounds=1) == [(3, "append", False), (4, "append", True)]
    again = [*records, *done(3, measured=False), *done(4), {"kind": "afresh"}]
    assert left(again, rounds=1) == [(5, "append", False), (6, "append", True)]


def run(**settings: Any) -> Record:
    return {"kind": "run", "settings": {**SETTINGS, **settings}}


def test_other_settings_are_refused() -> None:
    """Medians over two sets of queries would be of neither."""
    fixed = ("scale", "clustered")

    assert conflict([], SETTINGS, fixed) == ""
    assert conflict([run()], SETTINGS, fixed) == ""
    assert conflict([run(queries=["q02"])], SETTINGS, fixed).endswith("add --afresh.")
    assert conflict([run(queries=["q02"]), {"kind": "afresh"}], SETTINGS, fixed) == ""


def test_another_scale_is_refused_even_afresh() -> None:
    """The folder's tables have the scale that they were loaded with."""
    refusal = conflict([run(scale="10"), {"kind": "afresh"}], SETTINGS, ("scale", "clustered"))

    assert refusal == "The folder was loaded with scale 10, not 1: use another --work."


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    """Every record is on disk when `write` returns."""
    Journal(tmp_path / "j").write("end", round=4)

    assert Journal(tmp_path / "j").records == [{"kind": "end", "round": 4}]


def test_half_a_line_is_removed(tmp_path: Path) -> None:
    """A process that ends while it writes loses that record alone, and the next one begins on a line of its own."""
    file = tmp_path / "j"
    Journal(file).write("end", round=4)
    file.write_text(file.read_text() + '{"kind": "en')

    journal = Journal(file)
    journal.write("end", round=5)

    assert [record["round"] for record in Journal(file).records] == [4, 5]
