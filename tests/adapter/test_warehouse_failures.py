"""The message of a Spark failure for users, without Java."""

from __future__ import annotations

from pathlib import Path

import pytest

from dbt.adapters.trickle.warehouses.embedded.failures import as_database_error, first_lines
from dbt.adapters.trickle.warehouses.embedded.lines import in_model_lines
from dbt.adapters.trickle.warehouses.failure_text import MAX_LINES


def test_java_frames_are_left_out() -> None:
    """The console shows the error, the log its position in Java."""
    said = "[DIVIDE_BY_ZERO] Division by zero.\n\tat org.apache.spark.X.y(X.scala:1)\nCaused by: java.lang.Z"

    assert first_lines(said) == "[DIVIDE_BY_ZERO] Division by zero."


def test_the_query_plan_is_left_out() -> None:
    """Spark appends the unresolved plan to an analysis error, which helps nobody at the console."""
    said = "[UNRESOLVED_COLUMN] no column `x`. SQLSTATE: 42703; line 3 pos 7;\n'Project ['x]\n+- Relation"

    assert first_lines(said) == "[UNRESOLVED_COLUMN] no column `x`. SQLSTATE: 42703; line 3 pos 7"


def test_the_users_sql_is_shown_without_the_marks() -> None:
    """The fragment Spark points at stays; the row of carets below it would not line up."""
    said = "[PARSE_SYNTAX_ERROR] Syntax error.\n\n== SQL ==\nselec 1\n--^^^\n"

    assert first_lines(said) == "[PARSE_SYNTAX_ERROR] Syntax error.\n== SQL ==\nselec 1"


def test_a_long_message_ends() -> None:
    """A thousand-line statement in a message would push everything else off the screen."""
    assert len(first_lines("\n".join(map(str, range(1000)))).splitlines()) == MAX_LINES


@pytest.mark.parametrize(
    ("said", "remedy"),
    [
        ("java.lang.OutOfMemoryError: Java heap space", "raise `driver_memory`"),
        ("GC overhead limit exceeded", "raise `driver_memory`"),
        ("Java heap space", "raise `driver_memory`"),
        ("java.lang.OutOfMemoryError: Metaspace", "raise `driver_memory`"),
        ("[UNABLE_TO_ACQUIRE_MEMORY] Unable to acquire 65536 bytes", "raise `driver_memory`"),
        ("unable to create native thread: possibly out of memory", "lower `threads` and `cores`"),
        ("java.lang.StackOverflowError", "take it apart into several models"),
    ],
)
def test_a_lack_of_resources_names_its_remedy(said: str, remedy: str, tmp_path: Path) -> None:
    """Java's messages for it do not help."""
    (tmp_path / "logs").mkdir()

    error = as_database_error(RuntimeError(said), tmp_path / "logs" / "process.log")

    assert remedy in error.msg
    assert "\n" not in error.msg


def test_a_java_out_of_memory_differs_from_a_killed_one(tmp_path: Path) -> None:
    """Its last output is in the log."""
    log = tmp_path / "process.log"
    log.write_text("Exception in thread main java.lang.OutOfMemoryError: Java heap space\n")

    assert "raise `driver_memory`" in as_database_error(EOFError(), log).msg
    log.write_text("")
    assert "ended unexpectedly" in as_database_error(EOFError(), log).msg


MODEL = "\n\nselect 1 as a,\n  nope\nfrom t\n"


@pytest.mark.parametrize(
    ("statement", "said", "told"),
    [
        ("/* {} */\ncreate or replace table x\n  using delta\n  as\n\nselect 1 as a,\n  nope\nfrom t", 7, 4),
        ("/* {} */ create view x as select 1 as a,\n  nope\nfrom t", 2, 4),
        (MODEL, 4, 4),
        ("create table x as select 2", 9, 9),
        ("/* {} */\nwrong\nas\nselect 1 as a,\n  nope\nfrom t", 2, 2),
    ],
)
def test_lines_are_those_of_the_model(statement: str, said: int, told: int) -> None:
    """Whatever dbt adds around it; lines outside of the model are those of the statement."""
    for form in ("; line {} pos 2", "(line {}, pos 2)", "== SQL (line {}, position 3) =="):
        assert in_model_lines(f"[X] no {form.format(said)}", statement, MODEL) == f"[X] no {form.format(told)}"
