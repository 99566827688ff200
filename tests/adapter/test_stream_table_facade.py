"""When the view users read must be put up again."""

from __future__ import annotations

from typing import Any

import pytest

from dbt.adapters.trickle.facade import Check, checks_of, constraints_fingerprint, facade_of
from trickle import Column, Schema

VISIBLE = Schema((Column("id", "int"), Column("Name", "string")))


def model(persist: dict[str, bool] | None = None, **changes: Any) -> dict[str, Any]:
    return {
        "config": {"persist_docs": persist or {}, "contract": {"enforced": False}},
        "columns": {"name": {"description": "who", "data_type": "string"}},
        "description": "people",
        **changes,
    }


def test_comments_only_where_asked_for() -> None:
    """persist_docs decides; names match whatever their case."""
    silent = facade_of("select 1", VISIBLE, model())
    telling = facade_of("select 1", VISIBLE, model({"relation": True, "columns": True}))

    assert (silent.comment, silent.has_column_comments) == ("", False)
    assert (telling.comment, [column.comment for column in telling.columns]) == ("people", ["", "who"])


@pytest.mark.parametrize(
    "other",
    [
        facade_of("select 2", VISIBLE, model()),
        facade_of("select 1", Schema((Column("id", "bigint"), Column("Name", "string"))), model()),
        facade_of("select 1", VISIBLE, model({"relation": True})),
        facade_of("select 1", VISIBLE, model({"columns": True})),
        facade_of("select 1", VISIBLE, model(config={"contract": {"enforced": True}})),
    ],
)
def test_every_difference_shows(other: Any) -> None:
    """SQL, types, comments and the contract each change the fingerprint."""
    assert facade_of("select 1", VISIBLE, model()).fingerprint != other.fingerprint


def test_the_same_view_has_the_same_fingerprint() -> None:
    """A description that is not persisted does not count."""
    one = facade_of("select 1", VISIBLE, model())
    other = facade_of("select 1", VISIBLE, model(description="others"))

    assert one.fingerprint == other.fingerprint


def test_constraints_count_only_in_an_enforced_contract() -> None:
    """Without a contract storage has nothing to enforce; NOT NULL is a check too; other kinds are dbt's to warn of."""
    constraints = [
        {"type": "check", "expression": "id > 0", "name": "positive"},
        {"type": "primary_key", "columns": ["id"]},
    ]
    columns = {"id": {"data_type": "int", "constraints": [{"type": "not_null"}, {"type": "unique"}]}}
    enforced = {"contract": {"enforced": True}}

    assert checks_of(model(constraints=constraints, columns=columns)) == ()
    assert checks_of(model(config=enforced, constraints=constraints, columns=columns)) == (
        Check("positive", "id > 0"),
        Check("not_null_id", "`id` IS NOT NULL"),
    )


def test_a_constraint_names_a_column_as_the_storage_does() -> None:
    """Delta has no column called `sum(x)`."""
    columns = {"sum(x)": {"data_type": "int", "constraints": [{"type": "not_null"}]}}
    (found,) = checks_of(model(config={"contract": {"enforced": True}}, columns=columns))

    assert found.expression == "`sum%28x%29` IS NOT NULL"


def test_constraints_have_a_fingerprint() -> None:
    """'' for none, another for every other set."""
    one, other = Check("a", "id > 0"), Check("a", "id > 1")

    assert constraints_fingerprint(()) == ""
    assert constraints_fingerprint((one,)) != constraints_fingerprint((other,))
