"""`dbt-trickle verify` reports exact results as exact, finds differences, and judges each query by itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dbt.adapters.trickle.cli import main
from dbt.adapters.trickle.cli.verify.case_file import parse_case
from dbt.adapters.trickle.cli.verify.pool import GIBIBYTE, Worker
from dbt.adapters.trickle.cli.verify.run import Verdict
from tests.cli.pairs import CASE
from trickle.operators import Join, UnionAll
from trickle.plan.change import Change
from trickle.plan.op import Op

SCHEMA = {"l": "id INT, k INT, v STRING", "r": "id INT, k INT, w DECIMAL(6,2)"}
JOIN = "SELECT l.id, l.v, r.w FROM l JOIN r ON l.k = r.k"


@pytest.fixture
def given(tmp_path: Path) -> list[str]:
    """Two queries and their schema, as arguments."""
    schema, queries = tmp_path / "schema.json", tmp_path / "queries.jsonl"
    schema.write_text(json.dumps(SCHEMA))
    told = [
        {"id": "join", "sql": JOIN},
        {"id": "window", "sql": "SELECT id, SUM(k) OVER () AS s FROM l"},
        {"id": "impossible", "sql": "SELECT NO_SUCH_FUNCTION(id) AS x FROM l"},
    ]
    queries.write_text("".join(json.dumps(one) + "\n" for one in told))
    return [str(queries), "--schema", str(schema), "--rows", "6", "--rounds", "4"]


def report(capsys: pytest.CaptureFixture[str]) -> tuple[dict[str, dict[str, Any]], str]:
    *lines, total = capsys.readouterr().out.splitlines()
    return {one["id"]: one for one in map(json.loads, lines)}, total


def both_new(self: Join, changes: tuple[Change, ...]) -> Op:
    """ΔL ⋈ R′ + L′ ⋈ ΔR: counts ΔL ⋈ ΔR twice."""
    left, right = changes
    return UnionAll((self.rebuild((left.delta, right.after)), self.rebuild((left.after, right.delta))))


def test_queries_are_verified_by_random_changes(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Maintained and recomputed queries are exact, the latter flagged; DuckDB's errors are reported in its words."""
    assert main(["verify", *given]) == 0

    outcomes, total = report(capsys)
    assert {name: (one["verdict"], one["maintained"]) for name, one in outcomes.items()} == {
        "join": ("exact", "incremental"),
        "window": ("exact", "recompute"),
        "impossible": ("unsupported", ""),
    }
    assert "NO_SUCH_FUNCTION".lower() in outcomes["impossible"]["detail"].lower()
    assert len(outcomes["join"]["actions"]) == 4
    assert total == "2 exact, 0 mismatched, 1 unsupported (1 of the exact by recomputation)"


def test_a_bug_on_one_query_does_not_hide_the_others(
    given: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is a mismatch that names the place in our code; the other queries are judged."""

    def broken(self: Join, changes: tuple[Change, ...]) -> Op:
        raise TypeError("a mistake")

    monkeypatch.setattr(Join, "delta", broken)

    assert main(["verify", *given, "--memory", "0"]) == 1

    outcomes, _ = report(capsys)
    assert "a bug in dbt-trickle: TypeError: a mistake" in outcomes["join"]["detail"]
    assert outcomes["window"]["verdict"] == "exact"


WRONG = {
    "unreadable": ("SELECT FROM WHERE (", "cannot be read"),
    "column": ("SELECT id, nothing_like_it FROM l", "nothing_like_it"),
    "inner": ("SELECT id FROM (SELECT id, kk FROM l) AS q WHERE id > 1", "kk"),
    "table": ("SELECT id FROM nowhere", "there is no table or view nowhere"),
    "statement": ("DELETE FROM l", "must be a SELECT, not DELETE"),
}


def test_a_query_that_is_wrong_is_an_error(
    given: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a sentence, and without stopping: nothing was proved of it."""
    lines = [json.dumps({"id": name, "sql": sql}) + "\n" for name, (sql, _) in WRONG.items()]
    (tmp_path / "wrong.jsonl").write_text("".join([*lines, '{"id": "right", "sql": "SELECT id FROM l"}\n']))

    assert main(["verify", str(tmp_path / "wrong.jsonl"), *given[1:], "--memory", "0"]) == 1

    outcomes, total = report(capsys)
    assert {name: one["verdict"] for name, one in outcomes.items()} == dict.fromkeys(WRONG, "invalid") | {
        "right": "exact"
    }
    assert all(words in outcomes[name]["detail"] for name, (_, words) in WRONG.items())
    assert total == "1 exact, 0 mismatched, 0 unsupported, 5 invalid"


def test_names_with_schemas_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As dbt compiles them: two schemas may have tables of one name, and columns may be called by both."""
    tables = {"shop.orders": "id INT, k INT", "raw.orders": "id INT, v INT", "people": "k INT, name STRING"}
    (tmp_path / "schema.json").write_text(json.dumps(tables))
    (tmp_path / "model.sql").write_text(
        "SELECT shop.orders.id, o.v, people.name FROM `shop`.`orders` JOIN spark_catalog.raw.orders AS o "
        "ON o.id = shop.orders.id LEFT JOIN main.people ON people.k = shop.orders.k"
    )
    files = [str(tmp_path / "model.sql"), "--schema", str(tmp_path / "schema.json")]

    assert main(["verify", *files, "--rounds", "3", "--memory", "0"]) == 0

    outcomes, _ = report(capsys)
    assert (outcomes["model"]["verdict"], outcomes["model"]["maintained"]) == ("exact", "incremental")


def test_a_query_that_takes_too_much_memory_does_not_stop_the_others(
    given: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It runs in a separate process that may die: the query is reported, and the exit code is 1."""
    told = {"greedy": "SELECT id, LENGTH(REPEAT('x', 2000000000)) AS n FROM l", "modest": "SELECT id FROM l"}
    (tmp_path / "two.jsonl").write_text("".join(json.dumps({"id": i, "sql": q}) + "\n" for i, q in told.items()))

    assert main(["verify", str(tmp_path / "two.jsonl"), *given[1:], "--memory", "1.5", "--rounds", "1"]) == 1

    outcomes, total = report(capsys)
    assert {name: one["verdict"] for name, one in outcomes.items()} == {"greedy": "exhausted", "modest": "exact"}
    assert "out of memory" in outcomes["greedy"]["detail"].lower()
    assert "its limit is 1.5 GB: raise it with --memory, or use fewer --rows" in outcomes["greedy"]["detail"]
    assert total == "1 exact, 0 mismatched, 0 unsupported, 1 exhausted"


def test_a_statement_of_many_joins_stays_within_its_memory(capsys: pytest.CaptureFixture[str]) -> None:
    """It is exact within the default memory, although the joins multiply in a statement."""
    here = Path(__file__).parent
    files = [str(here / "chain_store.sql"), "--schema", str(here / "chain_store.json")]

    assert main(["verify", *files, "--rows", "8", "--rounds", "1"]) == 0
    assert report(capsys)[0]["chain_store"]["verdict"] == "exact"


def test_a_process_that_is_killed_is_a_verdict(given: list[str]) -> None:
    """A killed query reports nothing itself: the exit code of its process does."""
    (scenario,) = parse_case(Path("c.case"), CASE)
    worker = Worker("duckdb", True, 4 * GIBIBYTE)
    try:
        assert worker.run(scenario).verdict is Verdict.EXACT
        worker.kill()

        killed, again = worker.run(scenario), worker.run(scenario)
    finally:
        worker.end()

    assert (killed.verdict, again.verdict) == (Verdict.EXHAUSTED, Verdict.EXACT)
    assert killed.detail.startswith("its process was ended by SIGKILL; its limit is 4 GB")


def test_columns_in_duckdbs_order_are_no_mismatch(
    given: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Spark puts a merged column first. Queries that both order alike are verified."""
    told = {"other": "SELECT * FROM l JOIN r USING (k)", "same": "SELECT k, l.id, w FROM l JOIN r USING (k)"}
    lines = [json.dumps({"id": name, "sql": sql}) + "\n" for name, sql in told.items()]
    (tmp_path / "merged.jsonl").write_text("".join(lines))

    assert main(["verify", str(tmp_path / "merged.jsonl"), *given[1:]]) == 0

    outcomes, _ = report(capsys)
    assert {name: one["verdict"] for name, one in outcomes.items()} == {"other": "unsupported", "same": "exact"}
    assert "shows its columns in another order: id, k, v" in outcomes["other"]["detail"]


def test_a_shown_in_is_no_mismatch(given: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """FALSE on Spark where it is NULL on DuckDB. As a condition, either leaves the row out."""
    asked = "k IN (SELECT k FROM r)"
    told = {
        "shown": f"SELECT id, {asked} AS m FROM l",
        "denied": f"SELECT id, CASE WHEN NOT ({asked}) THEN 1 END AS m FROM l",
        "decides": f"SELECT id, CASE WHEN {asked} OR id = 1 THEN 1 ELSE 0 END AS m FROM l",
        "filters": f"SELECT id FROM l WHERE {asked}",
    }
    (tmp_path / "shown.jsonl").write_text("".join(json.dumps({"id": i, "sql": q}) + "\n" for i, q in told.items()))

    main(["verify", str(tmp_path / "shown.jsonl"), *given[1:]])

    outcomes, _ = report(capsys)
    assert {name: one["verdict"] for name, one in outcomes.items()} == {
        "shown": "unsupported",
        "denied": "unsupported",
        "decides": "exact",
        "filters": "exact",
    }


def test_jobs_change_nothing_but_the_time(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The same lines in the same order from two processes."""
    main(["verify", *given, "--memory", "0"])
    alone = capsys.readouterr().out
    main(["verify", *given, "--jobs", "2"])

    assert capsys.readouterr().out == alone


def test_a_wrong_delta_rule_is_found(
    given: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 1, the first difference in words, and a case file that fails in the same way."""
    monkeypatch.setattr(Join, "delta", both_new)

    assert (
        main(
            [
                "verify",
                *given,
                "--memory",
                "0",
                "--only",
                "join",
                "--rounds",
                "9",
                "--write-mismatched",
                str(tmp_path / "found"),
            ]
        )
        == 1
    )

    outcomes, _ = report(capsys)
    assert outcomes["join"]["verdict"] == "mismatched"
    assert outcomes["join"]["detail"].startswith("step ")
    assert main(["verify", str(tmp_path / "found"), "--memory", "0"]) == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["queries.jsonl"], "--schema"),
        (["EMPTY"], "nothing to verify"),
        (["CASE", "--ring", "spark", "--jobs", "2"], "--jobs is for DuckDB"),
    ],
)
def test_a_wrong_call_is_one_sentence(
    arguments: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2 before anything runs."""
    (tmp_path / "c.case").write_text(CASE)
    (tmp_path / "empty").mkdir()
    places = {"EMPTY": str(tmp_path / "empty"), "CASE": str(tmp_path / "c.case")}

    assert main(["verify", *(places.get(one, one) for one in arguments)]) == 2
    assert sentence in capsys.readouterr().err
