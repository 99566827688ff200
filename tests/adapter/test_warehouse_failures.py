"""What the user sees of a Spark failure: its message, never Java."""

from __future__ import annotations

from dbt.adapters.trickle.embedded.failures import MAX_LINES, first_lines


def test_java_frames_are_left_out() -> None:
    """The console shows what went wrong, the log where in Java."""
    said = "[DIVIDE_BY_ZERO] Division by zero.\n\tat org.apache.spark.X.y(X.scala:1)\nCaused by: java.lang.Z"

    assert first_lines(said) == "[DIVIDE_BY_ZERO] Division by zero."


def test_the_query_plan_is_left_out() -> None:
    """Spark appends the unresolved plan to an analysis error, which helps nobody at the console."""
    said = "[UNRESOLVED_COLUMN] no column `x`. SQLSTATE: 42703; line 3 pos 7;\n'Project ['x]\n+- Relation"

    assert first_lines(said) == "[UNRESOLVED_COLUMN] no column `x`. SQLSTATE: 42703; line 3 pos 7"


def test_the_users_sql_is_kept_without_the_marks() -> None:
    """The fragment Spark points at stays; the row of carets below it would not line up."""
    said = "[PARSE_SYNTAX_ERROR] Syntax error.\n\n== SQL ==\nselec 1\n--^^^\n"

    assert first_lines(said) == "[PARSE_SYNTAX_ERROR] Syntax error.\n== SQL ==\nselec 1"


def test_a_long_message_ends() -> None:
    """A thousand-line statement in a message would push everything else off the screen."""
    assert len(first_lines("\n".join(map(str, range(1000)))).splitlines()) == MAX_LINES
