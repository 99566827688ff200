"""The profile: four lines are enough, and what cannot work is refused in one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from dbt_common.exceptions import DbtConfigError

from dbt.adapters.trickle.credentials import TrickleCredentials
from dbt.adapters.trickle.embedded.contract import contract
from dbt.adapters.trickle.embedded.layout import table_path
from dbt.adapters.trickle.embedded.settings import session_settings


def credentials(**given: Any) -> TrickleCredentials:
    data = {"schema": "shop", **given}
    TrickleCredentials.validate(data)
    return TrickleCredentials.from_dict(data)


def test_a_schema_is_enough() -> None:
    """`type` and `schema` make a usable profile; the rest has defaults."""
    profile = credentials()

    assert (profile.type, profile.schema, profile.method, profile.warehouse) == (
        "trickle",
        "shop",
        "session",
        "warehouse",
    )


def test_a_relative_warehouse_belongs_to_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The current directory plays no part in where tables lie."""
    profile = credentials(warehouse="store")
    monkeypatch.chdir("/")

    profile.anchor(tmp_path / "project")

    assert str(tmp_path / "project" / "store") == profile.warehouse


def test_an_absolute_warehouse_stays_where_it_is(tmp_path: Path) -> None:
    """Projects may share a warehouse by naming its folder."""
    profile = credentials(warehouse=str(tmp_path / "shared"))

    profile.anchor(tmp_path / "project")

    assert str(tmp_path / "shared") == profile.warehouse


@pytest.mark.parametrize("method", ["thrift", "http", "odbc", "nonsense"])
def test_other_methods_are_refused_with_what_is_coming(method: str) -> None:
    """A method that does not work yet is refused before anything runs, with what to write instead."""
    with pytest.raises(DbtConfigError, match=f"`method: {method}` is not supported.*say `session`"):
        credentials(method=method)


def test_a_missing_schema_is_refused() -> None:
    """Without a schema dbt would not know where to build."""
    with pytest.raises(DbtConfigError, match="no `schema`"):
        TrickleCredentials.from_dict({"schema": ""})


def test_another_database_is_refused() -> None:
    """Spark has one level above tables, so two different names for it cannot both hold."""
    with pytest.raises(DbtConfigError, match="leave `database` out"):
        credentials(database="other")


def test_an_unknown_time_zone_is_refused() -> None:
    """A misspelt time zone would otherwise fail inside the first query."""
    with pytest.raises(DbtConfigError, match="`time_zone: Mars/Base`"):
        credentials(time_zone="Mars/Base")


def test_the_contract_is_pinned_by_default() -> None:
    """ANSI on, case-insensitive, UTC: whatever the machine or dbt-spark would have chosen."""
    pinned = contract(credentials())

    assert pinned["time_zone"] == "UTC"
    assert pinned["ansi"] == "true"
    assert pinned["case_sensitive"] == "false"
    assert pinned["spark"].startswith("4.2.")
    assert pinned["delta"] == "4.4.0"


def test_the_contract_follows_the_profile() -> None:
    """What the user sets for every session is what the contract says."""
    profile = credentials(time_zone="Europe/Berlin", server_side_parameters={"spark.sql.ansi.enabled": False})

    assert contract(profile)["time_zone"] == "Europe/Berlin"
    assert contract(profile)["ansi"] == "false"


def test_the_users_spark_settings_have_the_last_word() -> None:
    """A default of ours never overrides a setting the user wrote down."""
    profile = credentials(server_side_parameters={"spark.sql.shuffle.partitions": 64})

    assert session_settings(profile, cores=2)["spark.sql.shuffle.partitions"] == "64"


def test_a_table_is_found_without_spark(tmp_path: Path) -> None:
    """The Delta log of a managed table is where Spark's catalog, which lower-cases names, put it."""
    profile = credentials(warehouse=str(tmp_path))

    assert table_path(profile, "Shop", "Orders__trickle") == tmp_path / "data" / "shop.db" / "orders__trickle"
    assert table_path(profile, "default", "orders") == tmp_path / "data" / "orders"
