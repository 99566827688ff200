"""Views that are read through and views that are read by their names; what the catalog says of functions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from dbt.adapters.trickle.catalog.routines import routine_of
from dbt.adapters.trickle.catalog.view_settings import disagreement
from dbt.adapters.trickle.catalog.views import facts_of, read_view
from trickle import Column, Table, View

ZONE, LITERALS = "spark.sql.session.timeZone", "spark.sql.parser.escapedStringLiterals"
COLUMNS = (Column("a", "int"), Column("b", "string"))


@dataclass(frozen=True)
class Here:
    """A session in UTC, with a setting that counts for nothing."""

    set: Mapping[str, str] = field(default_factory=lambda: {ZONE: "UTC", "spark.sql.shuffle.partitions": "1"})

    def captured(self) -> Mapping[str, str]:
        return self.set

    def default(self, key: str) -> str | None:
        return {LITERALS: "false", ZONE: "Europe/Amsterdam"}.get(key)


def read(now: Sequence[Column] = COLUMNS, **told: object) -> View | Table:
    facts = {
        "view_text": "select * from t",
        "view_catalog_and_namespace": "spark_catalog.s",
        "view_query_output_columns": ["a", "b"],
        "view_creation_spark_configuration": {ZONE: "UTC"},
        **told,
    }
    described = facts_of(json.dumps(facts), "s")
    return read_view(("s", "v"), COLUMNS, described, Here(), lambda _: tuple(now), lambda name: name == ("s", "f"))


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ({ZONE: "UTC"}, ""),
        ({ZONE: "UTC", LITERALS: "FALSE"}, ""),
        ({ZONE: "UTC", "spark.sql.shuffle.partitions": "2"}, ""),
        ({ZONE: "UTC", LITERALS: "true"}, f"it was created under {LITERALS} true, and here that is false"),
        ({}, f"it was created under {ZONE} Europe/Amsterdam, and here that is UTC"),
        ({ZONE: "UTC", "spark.sql.new": "1"}, "it was created under spark.sql.new 1, and here that is unset"),
    ],
)
def test_settings_that_count_must_agree(kept: Mapping[str, str], said: str) -> None:
    """What one side does not keep is Spark's default there; where and how data are written decides no answer."""
    assert disagreement(kept, Here()) == said


def test_a_view_is_its_text() -> None:
    """Names get the view's schema, those of users' functions too, and nothing else is touched."""
    found = read(view_text="select f(a) as a, upper(b) as b from t")

    assert found == View(("s", "v"), COLUMNS, "select `s`.f(a) as a, upper(b) as b from `s`.t")


def test_a_column_that_came_later_is_not_shown() -> None:
    """SELECT * of a view means the columns there were, unless it was created to follow its tables."""
    now = (*COLUMNS, Column("c", "int"))
    fixed, following = read(now), read(now, view_schema_mode="EVOLUTION")

    assert isinstance(fixed, View)
    assert fixed.definition == "SELECT `a` AS `a`, `b` AS `b` FROM (\nselect * from `s`.t\n) AS definition"
    assert following == View(("s", "v"), now, "select * from `s`.t")


def test_a_type_that_changed_is_casted_by_spark() -> None:
    """The view goes on showing the old type: it is read by its name, unless it was created to follow types."""
    now = (Column("a", "bigint"), COLUMNS[1])
    fixed, following = read(now), read(now, view_schema_mode="TYPE EVOLUTION")

    assert isinstance(fixed, Table) and fixed.because is not None
    assert not fixed.versioned
    assert "it shows a as int, and its SELECT gives bigint" in fixed.because.message
    assert following == View(("s", "v"), now, "select * from `s`.t")


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ({"view_creation_spark_configuration": {ZONE: "America/New_York"}}, f"{ZONE} America/New_York"),
        ({"collation": "UTF8_LCASE"}, "compared by UTF8_LCASE"),
    ],
)
def test_a_view_of_its_own_mind_is_read_by_its_name(told: Mapping[str, object], why: str) -> None:
    """The reason names the view and what it keeps."""
    found = read(**told)

    assert isinstance(found, Table) and found.because is not None
    assert (found.versioned, found.because.code) == (False, "view_by_name")
    assert "s.v" in found.because.message and why in found.because.message


def described(body: str = "x*2", **labels: str) -> list[tuple[object, ...]]:
    told = {"Function": "spark_catalog.s.f", "Type": "SCALAR", "Returns": "INT", "Deterministic": "true"}
    told |= {"Data Access": "CONTAINS SQL", **{name.replace("_", " "): value for name, value in labels.items()}}
    lines = [f"{label}: {words}" for label, words in told.items()]
    settings = [f"Configs:  {ZONE}=UTC", "          spark.databricks.delta.lastCommitVersionInSession=7"]
    inputs = ["Input:    x INT", "          `Y` INT DEFAULT 3"]
    return [(line,) for line in [*lines, *inputs, *settings, f"Body:   {body}"]]


def test_a_function_is_what_spark_says_of_it() -> None:
    """Parameters, body, and a fingerprint of all that decides its answers and of nothing else."""
    plain = routine_of(("s", "f"), described("x\n+ 1 -- Type: one"), Here())
    moved = routine_of(("s", "f"), described("x\n+ 1 -- Type: one", Create_Time="now", Comment="a\nBody: b"), Here())
    other = routine_of(("s", "f"), described("x\n+ 2"), Here())

    assert plain is not None and moved is not None and other is not None
    assert (plain.parameters, plain.body, plain.unknown) == (("x", "y"), "x\n+ 1 -- Type: one", "")
    assert plain.fingerprint == moved.fingerprint != other.fingerprint


@pytest.mark.parametrize(
    ("labels", "why"),
    [
        ({"Deterministic": "false"}, "it is not deterministic"),
        ({"Data_Access": "READS SQL DATA"}, "it reads tables"),
        ({"Type": "TABLE"}, "it makes a table"),
    ],
)
def test_a_function_that_may_answer_otherwise_says_why(labels: Mapping[str, str], why: str) -> None:
    """Before anybody reads its body."""
    found = routine_of(("s", "f"), described(**labels), Here())

    assert found is not None
    assert found.unknown == why


def test_functions_without_a_body_are_sparks_or_unknown() -> None:
    """A class of the user's has a schema, a built-in one has none."""
    jar = routine_of(("s", "f"), [("Function: spark_catalog.s.f",), ("Class: com.example.F",)], Here())

    assert jar is not None and "no SQL function" in jar.unknown
    assert routine_of(("upper",), [("Function: upper",), ("Class: Upper",)], Here()) is None
