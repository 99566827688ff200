"""`dbt-trickle sql` prints every kind of value in three forms; a wrong call is one sentence and starts no Spark."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import Row

from dbt.adapters.trickle.cli import main
from dbt.adapters.trickle.cli.sql import session
from dbt.adapters.trickle.cli.sql.printing import Result, printed

VALUES: list[tuple[Any, str, Any]] = [
    (None, "NULL", None),
    (True, "true", True),
    (7, "7", 7),
    (0.5, "0.5", 0.5),
    (float("nan"), "nan", "nan"),
    (Decimal("1E+3"), "1000", "1000"),
    (Decimal("1.50"), "1.50", "1.50"),
    ("", "", ""),
    ("a\nb", "a⏎b", "a\nb"),
    (b"\x01\xff", "X'01FF'", "X'01FF'"),
    (date(2026, 1, 2), "2026-01-02", "2026-01-02"),
    (datetime(2026, 1, 2, 3, 4, 5), "2026-01-02 03:04:05", "2026-01-02 03:04:05"),
    ([1, None], "[1, null]", [1, None]),
    ({date(2026, 1, 2): Decimal("1.5")}, '{"2026-01-02": "1.5"}', {"2026-01-02": "1.5"}),
    (Row(x=1, y=["é"]), '{"x": 1, "y": ["é"]}', {"x": 1, "y": ["é"]}),
]


@pytest.mark.parametrize(("value", "text", "plain"), VALUES)
def test_a_value_in_each_form(value: Any, text: str, plain: Any) -> None:
    """For people in one line, for programs without losing anything."""
    answer = Result(("v",), [(value,)])

    assert printed(answer, "text", None).splitlines()[1].strip() == text
    assert json.loads(printed(answer, "json", None)) == {"v": plain}


def test_a_table_a_list_and_csv() -> None:
    """Numbers to the right; a count; NULL in CSV is an empty field, and texts are quoted where they must be."""
    answer = Result(("n", "what"), [(1, "a,b"), (None, 'say "x"')])

    assert printed(answer, "text", None).splitlines() == [
        "   n  what",
        "   1  a,b",
        'NULL  say "x"',
        "(2 rows)",
    ]
    assert printed(answer, "csv", None).splitlines() == ["n,what", '1,"a,b"', ',"say ""x"""']
    assert printed(answer, "json", None).splitlines() == [
        '{"n": 1, "what": "a,b"}',
        '{"n": null, "what": "say \\"x\\""}',
    ]


def test_omitted_rows_are_reported() -> None:
    """More rows than the limit, none, and a statement without a result."""
    assert printed(Result(("a",), [(1,)], more=True), "text", None).endswith("(the first 1 row; --limit 0 prints all)")
    assert printed(Result(("a",), []), "text", None).splitlines() == ["a", "(0 rows)"]
    assert printed(Result((), []), "text", None) == ""
    wide = printed(Result(("a", "b"), [("x" * 300, "y" * 300)]), "text", 80).splitlines()
    assert max(map(len, wide)) <= 80


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "give either statements"),
        (["select 1", "-f", "x.sql"], "or a file with -f"),
        (["-f", "/nowhere/x.sql"], "the file cannot be read"),
        (["-- nothing;"], "there is no statement to run"),
        (["select 1", "--project-dir", "/"], "/ is not a dbt project"),
    ],
)
def test_a_wrong_call_is_one_sentence(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2, before anything is started."""
    assert main(["sql", *words]) == 2

    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1


def test_a_profile_of_another_type_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The sentence names its type."""
    (tmp_path / "dbt_project.yml").write_text("{name: p, profile: shop, version: '1', config-version: 2}")
    (tmp_path / "profiles.yml").write_text(
        "shop: {target: dev, outputs: {dev: {type: spark, method: session, host: NA, schema: s}}}"
    )
    place = ["--project-dir", str(tmp_path), "--profiles-dir", str(tmp_path)]

    assert main(["sql", "select 1", *place]) == 2
    assert "the profile is of type spark, not trickle" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("create table a (x int)", "the statement ran and has no rows to show"),
        ("create table a (x int); drop table a", "2 statements ran and have no rows to show"),
    ],
)
def test_statements_without_rows_are_not_silent(
    text: str, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Standard output is for rows only; the message is on standard error."""

    @contextmanager
    def opened(*_: Any) -> Iterator[Any]:
        yield lambda sql, limit: Result((), [])

    monkeypatch.setattr(session, "opened_warehouse", opened)

    assert main(["sql", text]) == 0

    said = capsys.readouterr()
    assert (said.out, said.err) == ("", f"dbt-trickle sql: {told}\n")
