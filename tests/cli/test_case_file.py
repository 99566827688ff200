"""Case files are parsed completely: literals may have any characters, and errors name file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from dbt.adapters.trickle.cli.refusal import Refusal
from dbt.adapters.trickle.cli.verify.case_file import parse_case
from dbt.adapters.trickle.cli.verify.scenario import Expectation, Scenario
from dbt.adapters.trickle.cli.verify.write_case import case_text
from trickle import Column

FILE = Path("some.case")
GOOD = """\
# Why it exists.
skip spark: it is only an example

table t (id INT, s STRING)
    (1, 'a; b')
    (2,
        '# no comment')

view v is incremental
    SELECT id, -- ; not the end
        s
    FROM t

# a comment between sections
step
    UPDATE t
        SET s = ';'
        WHERE id = 1
    DELETE FROM t WHERE s = 'x'
expect v INCREMENTAL by recount
expect v
    (1, ';')
step
    INSERT INTO t VALUES (3, 'c')
expect v
"""


def only(text: str) -> Scenario:
    (scenario,) = parse_case(FILE, text)
    return scenario


def test_a_case_is_read_whole() -> None:
    """Rows, queries and statements may span lines; semicolons and hashes inside them mean nothing."""
    case = only(GOOD)

    assert (case.id, case.why) == ("some", "Why it exists.")
    assert case.skips == {"spark": "it is only an example"}
    (table,) = case.tables
    assert table.columns == (Column("id", "int"), Column("s", "string"))
    assert table.rows == ("(1, 'a; b')", "(2,\n'# no comment')")
    (view,) = case.views
    assert view.sql == "SELECT id, -- ; not the end\n    s\nFROM t"
    assert view.verdict == "incremental"
    first, second = case.steps
    assert [change.sql for change in first.changes] == [
        "UPDATE t\nSET s = ';'\nWHERE id = 1",
        "DELETE FROM t WHERE s = 'x'",
    ]
    assert first.changes[1].position == "some.case:19"
    assert first.expectations == (
        Expectation("v", "INCREMENTAL", "recount", None, "some.case:20"),
        Expectation("v", None, None, ("(1, ';')",), "some.case:21"),
    )
    assert second.expectations[0].rows == ()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("table t (id INT)\n", "some.case:1: the first line must state why"),
        ("# why\n", "there is no view"),
        ("# why\nview v\n    SELECT 1\n", "there is no step"),
        ("# why\ntable t id INT\n", "some.case:2: expected: table NAME"),
        ("# why\ntable t (id INT)\n    1, 2\n", "some.case:3: a row is written"),
        ("# why\ntable t (id)\n", "some.case:2: cannot read the column"),
        ("# why\nview v\nstep\n", "some.case:2: the view v has no query"),
        ("# why\nview v is fast\n    SELECT 1\n", "some.case:2: expected: view NAME"),
        ("# why\nstep\n    DELETE FROM t;\n", "some.case:3: a statement ends where its lines end"),
        ("# why\nstep\n    DELETE FROM t\n  WHERE x\n", "some.case:4: indented by 2"),
        ("# why\nstep\n\tDELETE FROM t\n", "some.case:3: indented by a tab"),
        ("# why\n    stray\n", "some.case:2: an indented line before any section"),
        ("# why\nexpect v\n", "some.case:2: an expectation belongs after a step"),
        ("# why\nstep\nexpect v\n", "some.case:3: there is no view v"),
        ("# why\nview v\n    SELECT 1\nstep\nexpect v PERHAPS\n", "some.case:5: 'PERHAPS' is none of"),
        ("# why\nvariants: all\n", "some.case:2: 'all' is not a variant"),
        ("# why\nskip oracle: no\n", "some.case:2: 'oracle' is not a ring"),
        ("# why\nquery v\n", "some.case:2: 'query' is not known"),
    ],
)
def test_what_is_wrong_is_named_by_file_and_line(text: str, sentence: str) -> None:
    """One sentence that begins with the place."""
    with pytest.raises(Refusal) as refusal:
        parse_case(FILE, text)

    assert str(refusal.value).startswith(sentence) or sentence in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_written_case_reads_back() -> None:
    """The case file of a mismatch is the scenario that failed."""
    case = only(GOOD)
    again = only(case_text(case))

    assert again.tables == case.tables
    assert [(view.name, view.sql.split()) for view in again.views] == [
        (view.name, view.sql.split()) for view in case.views
    ]
    assert [[change.sql.split() for change in step.changes] for step in again.steps] == [
        [change.sql.split() for change in step.changes] for step in case.steps
    ]
