"""`dbt-trickle explain` reads files, lines and standard input, prints text or JSON, and sets its exit code."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from dbt.adapters.trickle.cli import main
from trickle import Facts, Options, Questions, explain
from trickle.planning.explain import Explanation

SCHEMA = {"orders": "id INT, customer STRING, amount DECIMAL(12,2)"}
SUM = "SELECT customer, SUM(amount) AS total FROM orders GROUP BY customer"
RANDOM = "SELECT id, RAND() AS r\nFROM orders"


@pytest.fixture
def schema(tmp_path: Path) -> str:
    file = tmp_path / "schema.json"
    file.write_text(json.dumps(SCHEMA))
    return str(file)


def lines(*queries: tuple[str, str]) -> str:
    return "\n".join(json.dumps({"id": name, "sql": sql}) for name, sql in queries) + "\n"


def test_json_is_one_line_per_query(schema: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each line has id, verdict, class, how changes are applied, and each reason with its position in the text."""
    file = tmp_path / "queries.jsonl"
    file.write_text(lines(("sum", SUM), ("random", RANDOM)))

    assert main(["explain", str(file), "--schema", schema, "--format", "json"]) == 0

    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert first == {
        "id": "sum",
        "verdict": "incremental",
        "class": "by change",
        "reads_again": [],
        "inner_groupings": [],
        "apply": "merge_by_key",
        "reasons": [],
    }
    assert (second["id"], second["verdict"], second["class"]) == ("random", "recompute", "recompute")
    (reason,) = second["reasons"]
    assert (reason["code"], reason["line"], reason["column"]) == ("volatile_function", 1, 12)
    assert "rand()" in reason["message"]


def test_the_class_of_each_query_is_shown_and_counted(
    schema: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As text with what is read again, as a key of each line, and at the end; an invalid query has none."""
    file = tmp_path / "queries.jsonl"
    extreme = "SELECT customer, MIN(amount) AS least FROM orders GROUP BY customer"
    total = "SELECT MIN(amount) AS least FROM orders"
    queries = (
        ("sum", SUM),
        ("extreme", extreme),
        ("total", total),
        ("random", RANDOM),
        ("typo", "SELECT x FROM orders"),
    )
    file.write_text(lines(*queries))

    main(["explain", str(file), "--schema", schema, "--summary"])
    shown = capsys.readouterr().out
    main(["explain", str(file), "--schema", schema, "--summary", "--format", "json"])
    *answers, summary = (json.loads(line) for line in capsys.readouterr().out.splitlines())

    assert "verdict: incremental\nclass: by key\napplied by: replace_groups\n" in shown
    assert "\nreads again:\n  schema.orders by customer\n\npasses:" in shown
    assert "\nreads again:\n  all of schema.orders\n" in shown
    assert "\n3 incremental, 1 recompute, 1 invalid\n1 by change, 1 by key, 1 whole, 1 recompute\n" in shown
    assert [answer["class"] for answer in answers] == ["by change", "by key", "whole", "recompute", None]
    assert answers[1]["reads_again"] == ["schema.orders by customer"]
    assert summary["classes"] == {"by change": 1, "by key": 1, "whole": 1, "recompute": 1}


def test_groupings_that_can_be_stored_are_named(
    schema: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By their tables and keys, each once."""
    file = tmp_path / "above.sql"
    file.write_text(
        "SELECT o.id FROM orders AS o "
        "WHERE o.amount > (SELECT AVG(i.amount) FROM orders AS i WHERE i.customer = o.customer)"
    )

    main(["explain", str(file), "--schema", schema])

    assert "\ncan be stored as arrangements:\n  schema.orders grouped by customer\n" in capsys.readouterr().out


def test_json_has_error_and_remedy_as_two_sentences(
    schema: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also if the first has no full stop of its own."""
    file = tmp_path / "queries.jsonl"
    file.write_text(lines(("any", "SELECT id FROM orders WHERE id = ANY (SELECT id FROM orders)")))

    main(["explain", str(file), "--schema", schema, "--format", "json"])

    (reason,) = json.loads(capsys.readouterr().out)["reasons"]
    assert "ANY of a subquery. Use IN" in reason["message"]


def test_text_underlines_the_users_words(schema: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The text has the verdict, the reason and its position."""
    file = tmp_path / "random.sql"
    file.write_text(RANDOM + ";\n")

    assert main(["explain", str(file), "--schema", schema]) == 0

    shown = capsys.readouterr().out
    assert "verdict: recompute" in shown
    assert "SELECT id, RAND() AS r\n           ^^^^" in shown


def test_a_bug_on_one_query_does_not_hide_the_others(
    schema: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is reported as a bug, with the line of our code."""

    def broken(sql: str, facts: Facts, options: Options) -> Explanation | Questions:
        if sql == RANDOM:
            raise KeyError("nothing")
        return explain(sql, facts, options)

    monkeypatch.setattr("dbt.adapters.trickle.cli.explain.explain", broken)
    file = tmp_path / "queries.jsonl"
    file.write_text(lines(("random", RANDOM), ("sum", SUM)))

    assert main(["explain", str(file), "--schema", schema, "--format", "json"]) == 1

    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (first["verdict"], second["verdict"]) == ("failed", "incremental")
    assert "a bug in dbt-trickle: KeyError: 'nothing'" in first["reasons"][0]["message"]


def test_standard_input_is_read(
    schema: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`-` takes SQL or JSON lines."""
    monkeypatch.setattr("sys.stdin", io.StringIO(SUM))

    assert main(["explain", "-", "--schema", schema, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "incremental"


def test_an_invalid_query_makes_the_exit_code_one(
    schema: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Recomputing is no error; a query Spark would refuse is, and the others are answered all the same."""
    file = tmp_path / "queries.jsonl"
    file.write_text(
        lines(("typo", "SELECT nothing FROM orders"), ("table", "SELECT 1 AS x FROM nowhere"), ("sum", SUM))
    )

    assert main(["explain", str(file), "--schema", schema, "--format", "json", "--summary"]) == 1

    *answers, summary = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert [answer["verdict"] for answer in answers] == ["invalid", "invalid", "incremental"]
    assert summary["verdicts"] == {"invalid": 2, "incremental": 1}


def test_distinct_rows_are_ordered_by_what_is_left_of_them(
    schema: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Something computed of the shown columns, but nothing that DISTINCT has put away."""
    file = tmp_path / "queries.jsonl"
    first = "SELECT DISTINCT (customer), amount / 2 AS half FROM orders ORDER BY"
    orders = ("UPPER(customer)", "(amount / 2) + 1", "id", "amount")
    file.write_text(lines(*((order, f"{first} {order} LIMIT 3") for order in orders)))

    main(["explain", str(file), "--schema", schema, "--format", "json"])

    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [answer["verdict"] for answer in answers] == ["incremental", "incremental", "invalid", "invalid"]
    assert "SELECT DISTINCT does not show" in answers[2]["reasons"][0]["message"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "give a file"),
        (["queries.sql"], "--schema"),
        (["nowhere.sql", "--schema", "SCHEMA"], "nowhere.sql: the file cannot be read"),
    ],
)
def test_a_wrong_call_is_one_sentence(
    arguments: list[str], sentence: str, schema: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, and what to do on standard error."""
    given = [schema if one == "SCHEMA" else one for one in arguments]

    assert main(["explain", *given]) == 2

    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1


def test_a_broken_line_is_named(schema: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """File and line of what is not an object with id and sql."""
    file = tmp_path / "queries.jsonl"
    file.write_text(lines(("sum", SUM)) + '{"id": 7}\n')

    assert main(["explain", str(file), "--schema", schema]) == 2
    assert "queries.jsonl:2" in capsys.readouterr().err


def test_passes_can_be_switched_off_by_name(
    schema: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The answer names the passes that ran; a name that is none is refused with those there are."""
    monkeypatch.setattr("sys.stdin", io.StringIO(SUM))
    assert main(["explain", "-", "--schema", schema, "--without", "bound_scans", "--without", "prune_columns"]) == 0
    rewrites = "part_conditions, drop_padding, split_padding, join_on_conditions, time_below_groups, merge_projections"
    passes = f"passes: {rewrites}, simplify, join_outward, push_restrictions\n"
    assert passes in capsys.readouterr().out

    monkeypatch.setattr("sys.stdin", io.StringIO(SUM))
    assert main(["explain", "-", "--schema", schema, "--without", "magic"]) != 0
    assert "there is no pass magic; there are part_conditions" in capsys.readouterr().err
