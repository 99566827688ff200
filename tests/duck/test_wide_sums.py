"""Sums of wide decimals: exact as long as they fit, and the end of the statement where they do not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Context, Decimal, localcontext
from pathlib import Path

import duckdb
import pytest
from sqlglot import exp

from dbt.adapters.trickle.cli.verify import stream
from dbt.adapters.trickle.cli.verify.case_file import parse_case
from dbt.adapters.trickle.cli.verify.duck import DuckRing
from dbt.adapters.trickle.cli.verify.duck_dialect import MACROS, duck_tree
from dbt.adapters.trickle.cli.verify.run import Verdict, run_scenario
from dbt.adapters.trickle.cli.verify.stream import RefreshOutcome, Stream
from trickle import Action, Failure, RefreshPlan
from trickle.aggregates.maintain import maintain
from trickle.aggregates.maintained import SUM_OVERFLOWS, Combine, State
from trickle.apply.steps import Kind, Write
from trickle.plan.stops import code_of
from trickle.planning.refresh import Situation
from trickle.reasons import reason
from trickle.sql.build import column
from trickle.sql.parse import parse_expression

MOST = "9" * 36 + ".99"
"""The largest DECIMAL(38, 2)."""
LIMIT = Decimal(10) ** 36
NULL = "NULL"
Given = tuple[str, int, str]
"""A value, its weight, and whether the FILTER holds."""


def sum_of(text: str) -> State:
    maintained = maintain(parse_expression(text), {"x": "decimal(38,2)", "p": "boolean"})
    assert maintained is not None
    return maintained.states[0]


PLAIN, FILTERED = "SUM(x)", "SUM(x) FILTER (WHERE p)"


def sum_or_null(values: Sequence[Decimal | None] | None) -> Decimal | None:
    """As Spark adds decimals where it is not in ANSI mode."""
    given = [value for value in values or () if value is not None]
    with localcontext(Context(prec=99)):
        total = sum(given, Decimal(0))
    return total if given and -LIMIT < total < LIMIT else None


def opened() -> duckdb.DuckDBPyConnection:
    """A database with Spark's functions that it lacks."""
    connection = duckdb.connect()
    for macro in MACROS:
        connection.execute(macro)
    connection.create_function(
        "sum_or_null", sum_or_null, ["DECIMAL(38, 2)[]"], "DECIMAL(38, 2)", null_handling="special"
    )
    return connection


@pytest.fixture
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with opened() as connection:
        yield connection


def without_ansi(tree: exp.Expr) -> str:
    """In DuckDB's SQL, where sums and products of too many digits are NULL, as they are in Spark."""
    select = exp.Select(expressions=[duck_tree(tree.copy())])
    for node in reversed(list(select.walk())):
        if isinstance(node, (exp.Add, exp.Mul)):
            node.replace(exp.Anonymous(this="TRY", expressions=[node.copy()]))
        if isinstance(node, exp.Sum):
            every = exp.Anonymous(this="LIST", expressions=[exp.cast(node.this.copy(), "decimal(38, 2)")])
            node.replace(exp.Anonymous(this="SUM_OR_NULL", expressions=[every]))
    return select.sql("duckdb")


def value(database: duckdb.DuckDBPyConnection, tree: exp.Expr, rows: Sequence[Given]) -> Decimal | None:
    """What an expression is over rows."""
    database.execute("CREATE OR REPLACE TABLE t (x DECIMAL(38, 2), __trickle_weight BIGINT, p BOOLEAN)")
    for number, weight, holds in rows:
        database.execute(f"INSERT INTO t VALUES ({number}, {weight}, {holds})")
    (answer,) = database.execute(f"{without_ansi(tree)} FROM t").fetchall()[0]
    assert answer is None or isinstance(answer, Decimal)
    return answer


def overflows(database: duckdb.DuckDBPyConnection, tree: exp.Expr, rows: Sequence[Given]) -> bool:
    """Whether computing it ends the statement with our code."""
    try:
        value(database, tree, rows)
    except duckdb.InvalidInputException as raised:
        return code_of(str(raised).partition("Invalid Input Error: ")[2]) == SUM_OVERFLOWS
    return False


@pytest.mark.parametrize(
    ("call", "rows", "change"),
    [
        (PLAIN, [("1.50", 1, "true"), ("2.25", -1, "true"), ("0.25", 3, "true")], "0.00"),
        (PLAIN, [(MOST, 1, "true"), (MOST, -1, "true")], "0.00"),
        (PLAIN, [(f"-{MOST}", -1, "true")], MOST),
        (PLAIN, [(NULL, 1, "true"), ("1.00", 1, NULL)], "1.00"),
        (PLAIN, [(NULL, 5, "true")], "0.00"),
        (PLAIN, [], "0.00"),
        (FILTERED, [("1.00", 1, "true"), ("2.00", 3, "false"), ("4.00", 1, NULL)], "1.00"),
        (FILTERED, [("1.00", 1, "true"), (MOST, 7, "false"), (MOST, 7, NULL)], "1.00"),
    ],
)
def test_a_change_that_fits_is_exact(
    call: str, rows: list[Given], change: str, database: duckdb.DuckDBPyConnection
) -> None:
    """To the last of 38 digits; rows that add nothing have no product either."""
    assert value(database, sum_of(call).change, rows) == Decimal(change)


@pytest.mark.parametrize(
    "rows",
    [
        [(MOST, 1, "true"), ("0.01", 1, "true")],
        [(MOST, 2, "true")],
        [(MOST, 2, "true"), ("1.00", 1, "true")],
        [(MOST, -2, "true"), (MOST, 2, "true")],
        [(f"-{MOST}", 1, "true"), ("0.01", -1, "true")],
    ],
    ids=["of the sum", "of a product", "of a product beside a row that fits", "of products that cancel", "below"],
)
@pytest.mark.parametrize("call", [PLAIN, FILTERED], ids=["plain", "filtered"])
def test_a_change_that_does_not_fit_ends_the_statement(
    call: str, rows: list[Given], database: duckdb.DuckDBPyConnection
) -> None:
    """NULL would be taken for nothing to add."""
    assert overflows(database, sum_of(call).change, rows)


def test_a_sum_that_does_not_fit_is_stored_as_none(database: duckdb.DuckDBPyConnection) -> None:
    """Spark's answer is NULL then. Over no rows, and over rows without values, the state is 0."""
    initial = sum_of(PLAIN).initial

    assert value(database, initial, [(MOST, 1, "true"), ("0.01", 1, "true")]) is None
    assert value(database, initial, [(MOST, 1, "true"), ("-0.01", 1, "true")]) == Decimal("9" * 36 + ".98")
    assert value(database, initial, [(NULL, 1, "true")]) == 0
    assert value(database, initial, []) == 0


@pytest.mark.parametrize(
    ("stored", "change", "new"),
    [
        ("1.00", "2.00", "3.00"),
        (MOST, "0.00", MOST),
        (MOST, f"-{MOST}", "0.00"),
        (MOST, "0.01", None),
        (NULL, "0.00", None),
        (NULL, "1.00", None),
    ],
)
def test_a_state_and_its_change(stored: str, change: str, new: str | None, database: duckdb.DuckDBPyConnection) -> None:
    """Beside each other and in two rows of a group alike: what has no sum ends the statement."""
    two: list[Given] = [(stored, 1, "true"), (change, 1, "true")]
    beside = Combine.CHECKED_ADD.of(*(exp.cast(parse_expression(one), "decimal(38, 2)") for one in (stored, change)))
    below = Combine.CHECKED_ADD.of_all(column("x"))

    for tree, rows in ((beside, two[:1]), (below, two)):
        if new is None:
            assert overflows(database, tree, rows)
        else:
            assert value(database, tree, rows) == Decimal(new)


CASE = """# a sum had too many digits when it was stored

table t (k INT, x DECIMAL(38, 2))
    (1, 1.00)
    (2, 2.00)

view m
    SELECT k, SUM(x) AS total FROM t GROUP BY k

step
    INSERT INTO t VALUES (1, 0.50)
"""


def test_a_stored_sum_without_a_value_is_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The statement ends with the code, and the same run recomputes for that reason.

    By an overwrite: DuckDB's MERGE evaluates branches that it does not take, so that ours raises nothing there.
    """
    given_up: list[tuple[str, str]] = []
    usual, usual_ways = stream.plan_instead, stream.every_way

    def recorded(at: Situation, plan: RefreshPlan, failure: Failure) -> RefreshPlan | None:
        following = usual(at, plan, failure)
        given_up.append((code_of(failure.parameters["errorMessage"]), following.reason.code if following else ""))
        return following

    class Overflowed(Stream):
        """Before every later refresh the sum of one group is what Spark stores of one that does not fit."""

        def refresh(self, now: int, turn: int, all_ways: bool) -> RefreshOutcome:
            if self.stamp is None:
                return super().refresh(now, turn, all_ways)
            text = f"UPDATE {'.'.join(self.target.storage)} SET __trickle_sum_sum = NULL WHERE k = 1"
            damage = RefreshPlan(
                Action.INCREMENTAL, reason("forced_incremental"), "damage", (Write(Kind.MERGE, text, ""),)
            )
            self.ring.commit(self.target.storage, self.target.facade, damage, False)
            done = super().refresh(now, turn, all_ways)
            assert (done.taken.action, done.taken.reason.code) == (Action.FULL, SUM_OVERFLOWS)
            return done

    monkeypatch.setattr(stream, "plan_instead", recorded)
    monkeypatch.setattr(stream, "Stream", Overflowed)
    monkeypatch.setattr(
        stream, "every_way", lambda *given: [way for way in usual_ways(*given) if way.strategy == "overwrite"]
    )
    (scenario,) = parse_case(Path("overflowed.case"), CASE)

    outcome = run_scenario(scenario, DuckRing(), all_ways=True)

    assert outcome.verdict is Verdict.EXACT, outcome.detail
    assert set(given_up) == {(SUM_OVERFLOWS, SUM_OVERFLOWS)}
