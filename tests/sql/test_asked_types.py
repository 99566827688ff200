"""What type a branch of UNION has is asked of Spark where the engine does not know it, and only there."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.facts import compiled, explained
from trickle import Column, CompiledView, Name, Relation, Schema, Table
from trickle.operators import UnionAll
from trickle.plan.op import walk

EVENTS = Table(("events",), (Column("id", "int"), Column("at", "timestamp"), Column("told", "string")))
CALLS = (
    "select id, at from events union all select id, to_timestamp(told) from events",
    "select id, to_timestamp(told) as at from events union select id, at from events",
    "select id, at from events except all select id, try_to_timestamp(told) from events",
)
NESTED = (
    "select id, at from (select id, at from events union all select id, to_timestamp(told) from events) as both_of_them"
)
BELOW = (
    "with first as (select id, at, told from events), every as (select id, at from first union all "
    "select id, greatest(to_timestamp(told), current_timestamp()) from first), last as (select 1 as one) "
    "select id, at from every"
)


def resolve(name: Name) -> Relation | None:
    return EVENTS if name == ("events",) else None


class Spark:
    """Answers that a query has an id and a timestamp, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def schema_of(self, text: str) -> Sequence[tuple[str, str]]:
        self.asked.append(text)
        return [("id", "int"), ("at", "timestamp")]


def view_of(text: str, spark: Spark) -> CompiledView:
    shown = Schema((Column("id", "int"), Column("at", "timestamp")))
    return compiled(text, resolve, shown, ask_types=spark.schema_of)


def branch_types(view: CompiledView) -> list[set[str]]:
    (union,) = [op for op in walk(view.plan) if isinstance(op, UnionAll)]
    return [{branch.schema.type_of(name) for branch in union.inputs} for name in union.schema.names[:2]]


@pytest.mark.parametrize("text", CALLS)
def test_the_types_of_the_whole_query_are_known_already(text: str) -> None:
    """Spark has told them, so that a union that is the whole query costs no question."""
    spark = Spark()
    view = view_of(text, spark)

    assert view.verdict == "incremental"
    assert branch_types(view) == [{"int"}, {"timestamp"}]
    assert spark.asked == []


@pytest.mark.parametrize("text", [NESTED, BELOW])
def test_a_union_inside_is_asked_for_as_a_query_of_its_own(text: str) -> None:
    """With the CTEs before it, without those behind it, and with no question to the clock."""
    spark = Spark()
    view = view_of(text, spark)

    assert view.verdict == "incremental"
    assert branch_types(view) == [{"int"}, {"timestamp"}]
    (asked,) = spark.asked
    assert asked.startswith("WITH first AS" if text is BELOW else "SELECT * FROM (")
    assert "last" not in asked
    assert "CLOCK" not in asked.upper()
    assert view_of(text, spark).definition == view.definition


def test_what_the_engine_knows_is_not_asked() -> None:
    spark = Spark()
    view_of("select id, at from (select id, at from events union all select id, at from events) as q", spark)
    assert spark.asked == []


def test_without_spark_the_type_is_called_unknown() -> None:
    """It is no difference that anybody could look for."""
    (why,) = explained(CALLS[0], resolve).reasons
    assert why.code == "union_type_unknown"
    assert "at" in why.message
    assert "disagree" not in why.words()
