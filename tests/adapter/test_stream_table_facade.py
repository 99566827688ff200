"""When the view users read must be put up again."""

from __future__ import annotations

from typing import Any

import pytest
from dbt_common.exceptions import CompilationError

from dbt.adapters.trickle.options import read_config
from dbt.adapters.trickle.storages.constraints import CheckConstraint, checks_of, constraints_fingerprint, unenforced
from dbt.adapters.trickle.storages.facade import facade_of
from dbt.adapters.trickle.storages.table_properties import refuse_unknown_columns
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

    assert (silent.comment, [column.comment for column in silent.columns]) == ("", ["", ""])
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
        CheckConstraint("positive", "id > 0"),
        CheckConstraint("not_null_id", "`id` IS NOT NULL"),
    )


def test_a_constraint_names_a_column_as_the_storage_does() -> None:
    """Delta has no column called `sum(x)`."""
    columns = {"sum(x)": {"data_type": "int", "constraints": [{"type": "not_null"}]}}
    (found,) = checks_of(model(config={"contract": {"enforced": True}}, columns=columns))

    assert found.expression == "`sum%28x%29` IS NOT NULL"


def test_constraints_have_a_fingerprint() -> None:
    """'' for none, another for every other set."""
    one, other = CheckConstraint("a", "id > 0"), CheckConstraint("a", "id > 1")

    assert constraints_fingerprint(()) == ""
    assert constraints_fingerprint((one,)) != constraints_fingerprint((other,))


def promised(*constraints: dict[str, Any], **columns: list[dict[str, Any]]) -> dict[str, Any]:
    described = {name: {"constraints": found} for name, found in columns.items()}
    return model(config={"contract": {"enforced": True}}, constraints=list(constraints), columns=described)


def test_a_repeated_constraint_is_one() -> None:
    """On the model and on the column, under any case of its name; other columns have other names."""
    never, same = {"type": "not_null", "columns": ["id"]}, {"type": "check", "name": "Positive", "expression": "id > 0"}
    found = checks_of(promised(never, same, {**same, "name": "positive"}, id=[{"type": "not_null"}]))

    assert [(one.name, one.expression) for one in found] == [
        ("not_null_id", "`id` IS NOT NULL"),
        ("Positive", "id > 0"),
    ]
    both = checks_of(promised({"type": "not_null", "columns": ["a", "b"]}, a_b=[{"type": "not_null"}]))
    assert [one.expression for one in both] == ["`a` IS NOT NULL AND `b` IS NOT NULL", "`a_b` IS NOT NULL"]
    assert len({one.name for one in both}) == 2


def test_one_name_for_two_constraints_is_refused() -> None:
    """Before anything is written, with both conditions."""
    one, other = ({"type": "check", "name": "fine", "expression": text} for text in ("id > 0", "id > 1"))
    with pytest.raises(CompilationError, match=r"called fine: `id > 0` and `id > 1`"):
        checks_of(promised(one, other))


def test_an_unenforced_constraint_is_reported() -> None:
    """A primary key is not enforced; a warning can be switched off."""
    key = {"type": "primary_key", "columns": ["id"]}
    quiet = {**key, "warn_unenforced": False}

    assert unenforced(promised(key, quiet)) == (
        "The primary_key constraint on id is not enforced: Delta enforces `not_null` and `check`; "
        "use a data test for the others.",
    )
    assert unenforced(promised(id=[{"type": "not_null"}])) == ()


def test_columns_that_are_not_there_are_named() -> None:
    """With the nearest that is; a field of a struct and another case of letters are fine."""
    config = read_config({"partition_by": "DAY", "cluster_by": ["place.city"]})
    refuse_unknown_columns(config, (), ("day", "place"))
    with pytest.raises(CompilationError, match="no column `dya`, which `partition_by` names; did you mean `day`"):
        refuse_unknown_columns(read_config({"partition_by": "dya"}), (), ("day", "amount"))
    with pytest.raises(CompilationError, match="no column `zzz`, which `cluster_by` names; there are day, sum\\(x\\)"):
        refuse_unknown_columns(read_config({"cluster_by": "zzz"}), (), ("day", "sum%28x%29"))
    with pytest.raises(CompilationError, match="the constraint not_null_idd names; did you mean `id`"):
        checks = checks_of(promised({"type": "not_null", "columns": ["idd"]}))
        refuse_unknown_columns(read_config({}), checks, ("id",))
