"""What other databases write, and what looks like SQL: explain calls wrong what Spark refuses, and nothing else.

odd_spellings.txt holds a query a line behind Spark's answer, which tests/spark/test_odd_spellings.py asks for again:

reads            Spark analyses it
refuses          Spark's parser or analyzer refuses it
refuses, unseen  the same, and only Spark can know: a function it has not, a text that is no date
reads, alone     Spark reads it and our parser does not; dbt refuses the model in a sentence, and so does explain
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from dbt.adapters.trickle.cli.verify.case_file import read_cases
from tests.facts import explained
from trickle import Column, Name, Relation, Table

LINES = [line.split("\t") for line in (Path(__file__).parent / "odd_spellings.txt").read_text().splitlines()]
TABLES = {
    "t": dict(
        line.split()
        for line in """
            i int,b bigint,d decimal(10;2),f double,s string,dt date,ts timestamp,z boolean,a array<int>
            m map<string;int>,st struct<x:int;y:string>,bin binary,sts array<struct<x:int;y:string>>,js string,v variant
        """.strip()
        .replace("\n", ",")
        .split(",")
    ),
    "u": {"i": "int", "s": "string", "k": "int"},
}


def resolve(name: Name) -> Relation | None:
    columns = TABLES.get(name[-1].lower()) if len(name) == 1 else None
    return columns and Table(name, tuple(Column(one, kind.replace(";", ",")) for one, kind in columns.items()))


@pytest.mark.parametrize(("answer", "text"), LINES, ids=[text for _, text in LINES])
def test_explain_calls_wrong_what_spark_refuses(answer: str, text: str) -> None:
    """With one sentence, and its place wherever the trouble has one."""
    found = explained(text, resolve)
    if answer in ("reads", "refuses, unseen"):
        assert found.verdict != "invalid", found.reasons
        return
    (why,) = found.reasons
    assert found.verdict == "invalid"
    assert why.message
    if answer == "reads, alone":
        assert why.message.startswith("Spark can parse this query")


def test_refusals_have_a_place() -> None:
    """All but what is missing altogether: line and column, to be underlined."""
    refused = [explained(text, resolve).reasons[0] for answer, text in LINES if answer == "refuses"]
    placed = [one for one in refused if one.position is not None]
    assert len(placed) / len(refused) > 0.97


def test_no_query_of_the_cases_is_called_wrong() -> None:
    """Spark has run every one of them."""
    folder = Path(__file__).parents[1] / "cases"
    wrong = []
    for file in sorted(folder.rglob("*.case")):
        for scenario in islice(read_cases(file), 1):
            tables = {one.name.lower(): Table((one.name.lower(),), one.columns) for one in scenario.tables}
            for view in scenario.views:
                found = explained(view.sql, lambda name, known=tables: known.get(name[-1].lower()))
                reads_another = any("there is no table or view" in why.message for why in found.reasons)
                if found.verdict == "invalid" and view.verdict != "invalid" and not reads_another:
                    wrong.append((file.name, found.reasons[0].sentence()))
    assert wrong == []


def test_no_spelling_that_spark_reads_is_called_wrong() -> None:
    """The queries by which the parser is tried on Spark."""
    file = Path(__file__).parents[1] / "spark" / "spellings.txt"
    texts = [line for line in file.read_text().splitlines() if line.strip()]
    found = {text: explained(text, resolve) for text in texts}
    assert {text: one.reasons for text, one in found.items() if one.verdict == "invalid"} == {}
