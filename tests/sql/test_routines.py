"""Calls of users' functions: told from Spark's own, judged by what they compute, and part of the definition."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.facts import compiled
from tests.snapshots.shop import CONTRACT, last_stamp, probes, resolve
from tests.snapshots.snapshot import TARGET
from trickle import (
    Action,
    CompiledView,
    Name,
    Options,
    RefreshMode,
    Request,
    Routine,
    View,
    plan_refresh,
)
from trickle.errors import Unsupported
from trickle.sql.parse import parse_select
from trickle.sql.text import to_line

ROUTINES = {
    one.name: one
    for one in (
        Routine(("s", "upper"), ("x",), "concat(x, '!')", "1"),
        Routine(("s", "twice"), ("x",), "x * 2", "1"),
        Routine(("s", "more"), ("x", "y"), "s.twice(x) + more.y", "1"),
        Routine(("s", "folded"), ("x",), "aggregate(x, 0, (a, b) -> a + b)", "1"),
        Routine(("s", "reads"), ("x",), "x + (select max(order_id) from shop.orders)", "1"),
        Routine(("s", "asks"), ("x",), "date_diff(current_date(), x)", "1"),
        Routine(("s", "draws"), ("x",), "x * rand()", "1"),
        Routine(("s", "bare"), ("x",), "twice(x)", "1"),
        Routine(("s", "deep"), ("x",), "s.draws(x)", "1"),
        Routine(("s", "named"), ("x",), "x + least", "1"),
        Routine(("s", "who"), ("x",), "current_user()", "1"),
        Routine(("s", "jar"), unknown="it is no SQL function, and what it does inside is not known"),
        Routine(("twice",), ("x",), "x * 2", "1"),
    )
}


def view_of(items: str, routines: dict[Name, Routine] = ROUTINES, mode: str = "auto") -> CompiledView:
    options = Options(refresh_mode=RefreshMode(mode))
    return compiled(f"SELECT {items} FROM shop.orders", resolve, None, options, resolve_routine=routines.get)


@pytest.mark.parametrize(
    "items",
    [
        "s.upper(status) AS a",
        "S.`Upper`(status) AS a, upper(status) AS b",
        "spark_catalog.s.more(order_id, y => 2) AS a",
        "s.twice(s.twice(order_id)) AS a",
        "twice(order_id) AS a",
        "s.folded(array(1, 2)) AS a",
        "system.builtin.upper(status) AS a, builtin.sum(amount) OVER (PARTITION BY status) AS b",
        "SUM(s.twice(order_id)) AS a",
    ],
)
def test_a_known_function_is_maintained(items: str) -> None:
    """A deterministic SQL function of its arguments is as good as one of Spark's."""
    assert view_of(items).reasons == ()


@pytest.mark.parametrize(
    ("items", "why"),
    [
        ("s.reads(order_id)", "it reads tables"),
        ("s.asks(order_id)", "it asks the clock"),
        ("s.draws(order_id)", "it calls rand()"),
        ("s.bare(order_id)", "it calls twice(), of which nothing is known"),
        ("s.deep(order_id)", "it calls s.draws(), and it calls rand()"),
        ("s.named(order_id)", "it names least, which is none of its parameters"),
        ("s.who(order_id)", "it calls current_user()"),
        ("s.jar(order_id)", "it is no SQL function"),
    ],
)
def test_another_function_is_asked_at_every_run(items: str, why: str) -> None:
    """What it answers may change although no source did, so no run says that there is nothing to do."""
    view = view_of(f"{items} AS a")
    plan = plan_refresh(view, TARGET, last_stamp(view), probes(view, {}), Request("m", 2_000, CONTRACT))

    assert [(one.code, why in one.message) for one in view.reasons] == [("user_function", True)]
    assert plan.action is Action.FULL


@pytest.mark.parametrize(
    "items",
    ["s.sum(order_id)", "s.count(*)", "s.length(status)", "session.upper(status)", "a.s.upper(status)", "nobody(1)"],
)
def test_nothing_is_known_of_what_no_catalog_knows(items: str) -> None:
    """Also where Spark has a function of the same name, be it an aggregate, and with FILTER or OVER behind it."""
    for call in (items, f"{items} FILTER (WHERE order_id > 1)", f"{items} OVER (PARTITION BY status)"):
        assert "unknown_function" in {one.code for one in view_of(f"{call} AS a").reasons}


@pytest.mark.parametrize(
    "relation",
    ["s.range(3)", "spark_catalog.s.explode(array(1))", "s.known(1)", "session.f()", "builtin.sql_keywords()"],
)
def test_a_table_of_a_function_is_read_at_every_run(relation: str) -> None:
    """s.range is not range, and s.explode is not explode, in FROM and in LATERAL."""
    for query in (f"SELECT * FROM {relation} AS t", f"SELECT t.* FROM shop.orders AS o, LATERAL {relation} AS t"):
        found = {one.code for one in compiled(query, resolve, None).reasons}
        assert found & {"table_function", "unknown_function"}


def test_qualified_calls_are_printed_as_they_were_written() -> None:
    """The parser puts them together, and they come out as they went in."""
    text = (
        "SELECT s.F(x), c.s.`g h`(1, y => 2).z, s.udaf(DISTINCT x) FILTER(WHERE y) OVER (PARTITION BY z) FROM s.tab(1)"
    )

    assert to_line(parse_select(text)) == text


def test_a_functions_definition_is_part_of_the_models() -> None:
    """Replacing one, or one it calls, rebuilds the table and names it; models without functions have their hash."""
    view = view_of("s.more(order_id, 1) AS a")
    replaced = {**ROUTINES, ("s", "twice"): replace(ROUTINES["s", "twice"], fingerprint="2")}
    again = view_of("s.more(order_id, 1) AS a", replaced)
    stamp = replace(last_stamp(view), extra={"routines": dict(view.routines.fingerprints)})
    plan = plan_refresh(again, TARGET, stamp, probes(again, {}), Request("m", 2_000, CONTRACT))

    assert (plan.action, plan.reason.code) == (Action.REINITIALIZE, "definition_changed")
    assert plan.reason.message == "The function s.twice changed since the last refresh."
    assert plan.stamp is not None
    assert plan.stamp.extra["routines"] == {"s.more": "1", "s.twice": "2"}
    assert view_of("status").definition == view_of("status", {}).definition


def test_what_nobody_sees_is_found_wherever_it_stands() -> None:
    """Behind another reason in the model's own text, in a view, and where our parser is wrong about the rest."""
    views = {("s", "v"): View(("s", "v"), (), "SELECT order_id, input_file_name() AS f FROM shop.orders")}
    sampled = "SELECT order_id FROM s.v TABLESAMPLE (10 PERCENT)"
    view = compiled(sampled, lambda name: views.get(name) or resolve(name), None)

    assert [one.code for one in view.reasons] == ["sample", "file_metadata"]
    assert "In view s.v" in view.reasons[1].message
    with pytest.raises(Unsupported) as refused:
        view_of("s.jar(order_id) AS a", mode="incremental")
    assert [one.code for one in refused.value.reasons] == ["user_function"]


@pytest.mark.parametrize(
    ("items", "code"),
    [
        ("_metadata.file_path", "file_metadata"),
        ("input_file_block_start()", "file_metadata"),
        ("reflect('java.lang.System', 'nanoTime')", "unknown_function"),
        ("version()", "session_function"),
    ],
)
def test_inputs_beside_the_tables_are_asked_at_every_run(items: str, code: str) -> None:
    """No run finds that there is nothing to do."""
    view = view_of(f"{items} AS a")
    plan = plan_refresh(view, TARGET, last_stamp(view), probes(view, {}), Request("m", 2_000, CONTRACT))

    assert ([one.code for one in view.reasons], plan.action) == ([code], Action.FULL)
