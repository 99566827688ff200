"""A query may be nested as deep as it likes: it is maintained, recomputed with the reason, or refused in a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from dbt.adapters.trickle.cli import main
from tests.facts import compiled
from tests.house.test_reasons_reached import planned
from tests.snapshots.shop import resolve
from trickle import Action, InvalidView, Options, RefreshMode, Unsupported
from trickle.sql.parse import parse_select
from trickle.sql.stack_size import raise_recursion_limit
from trickle.sql.text import to_line

ORDERS = "shop.orders"


def ctes(count: int) -> str:
    named = ", ".join(f"c{one} AS (SELECT order_id FROM c{one - 1})" for one in range(1, count))
    return f"WITH c0 AS (SELECT order_id FROM {ORDERS}), {named} SELECT order_id FROM c{count - 1}"


def joined(count: int) -> str:
    others = " ".join(f"JOIN {ORDERS} AS t{one} ON t{one}.order_id = t{one - 1}.order_id" for one in range(1, count))
    return f"SELECT t0.order_id FROM {ORDERS} AS t0 {others}"


def grouped(count: int) -> str:
    inner = f"SELECT order_id FROM {ORDERS}"
    for _ in range(count):
        inner = f"SELECT order_id FROM ({inner}) AS q GROUP BY order_id"
    return inner


Deep = Callable[[int], str]
SHAPES: Mapping[str, Deep] = {
    "parentheses": lambda n: f"SELECT {'(' * n}amount{')' * n} AS x FROM {ORDERS}",
    "ors": lambda n: f"SELECT order_id FROM {ORDERS} WHERE " + " OR ".join(f"amount = {one}" for one in range(n)),
    "sums": lambda n: f"SELECT {' + '.join(['amount'] * n)} AS x FROM {ORDERS}",
    "unions": lambda n: " UNION ALL ".join([f"SELECT order_id FROM {ORDERS}"] * n),
    "excepts": lambda n: " EXCEPT ".join([f"SELECT order_id FROM {ORDERS}"] * n),
    "cases": lambda n: f"SELECT {'CASE WHEN amount = 1 THEN 1 ELSE ' * n}0{' END' * n} AS x FROM {ORDERS}",
    "calls": lambda n: f"SELECT {'ABS(' * n}amount{')' * n} AS x FROM {ORDERS}",
    "nots": lambda n: f"SELECT order_id FROM {ORDERS} WHERE {'NOT ' * n} amount = 1",
    "subqueries": lambda n: "SELECT order_id FROM (" * n + f"SELECT order_id FROM {ORDERS}" + ") AS q" * n,
    "exists": lambda n: (
        f"SELECT order_id FROM {ORDERS} WHERE " + f"EXISTS (SELECT 1 FROM {ORDERS} WHERE " * n + "TRUE" + ")" * n
    ),
    "ctes": ctes,
    "joins": joined,
    "groupings": grouped,
}


FAR_TOO_DEEP = {"exists": 100, "groupings": 60, "excepts": 100, "subqueries": 120, "joins": 170, "ctes": 120}
DEEP_ENOUGH = {"excepts": 12, "exists": 12, "ctes": 50, "subqueries": 60, "groupings": 12, "joins": 50, "unions": 80}


@pytest.fixture(autouse=True)
def stack_size() -> None:
    """As dbt and the command line make it when they start."""
    raise_recursion_limit()


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_far_too_deep_is_recomputed_with_the_reason(shape: str) -> None:
    """Its tables are found all the same, so that it is recomputed only when one of them changed."""
    sql = SHAPES[shape](FAR_TOO_DEEP.get(shape, 400))

    view = compiled(sql, resolve)

    assert [one.code for one in view.reasons] == ["too_deep"]
    assert [source.name for source in view.sources] == [ORDERS]
    assert planned(sql).action is Action.FULL


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_deep_is_maintained(shape: str) -> None:
    """Far beyond what Python allows by itself."""
    sql = SHAPES[shape](DEEP_ENOUGH.get(shape, 150))

    assert compiled(sql, resolve).reasons == ()
    assert planned(sql, mode=RefreshMode.INCREMENTAL).action is Action.INCREMENTAL


def test_what_must_be_maintained_and_is_too_deep_is_refused() -> None:
    """`refresh_mode: incremental` never recomputes."""
    with pytest.raises(Unsupported, match="nested too deep to be maintained: 1"):
        compiled(SHAPES["ors"](1_000), resolve, None, Options(refresh_mode=RefreshMode.INCREMENTAL))


def test_what_nobody_can_read_is_one_sentence() -> None:
    """Deeper than a larger stack reaches."""
    with pytest.raises(InvalidView, match="nested too deep to be parsed"):
        parse_select(SHAPES["parentheses"](30_000))


def test_a_larger_stack_makes_no_difference() -> None:
    """The same tree, and the same text of it."""
    text = SHAPES["calls"](900)

    assert to_line(parse_select(text)) == text


def test_the_command_line_judges_what_is_deep(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """explain tells the reason; verify proves the rows where DuckDB can make them."""
    schema = tmp_path / "schema.json"
    schema.write_text(json.dumps({"shop.orders": "order_id INT, amount INT"}))
    files = [tmp_path / f"{shape}.sql" for shape in ("parentheses", "cases", "subqueries")]
    for file in files:
        file.write_text(SHAPES[file.stem](400))
    given = [*map(str, files), "--schema", str(schema)]

    assert main(["explain", "--format", "json", *given]) == 0
    explained = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["reasons"][0]["code"] for one in explained] == ["too_deep"] * 3

    assert main(["verify", "--rows", "2", "--rounds", "1", *given]) == 0
    said = capsys.readouterr().out
    assert "RecursionError" not in said
    assert "a bug" not in said
