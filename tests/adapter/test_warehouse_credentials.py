"""The profile: four lines are enough, and invalid values are refused in one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from dbt_common.dataclass_schema import ValidationError
from dbt_common.exceptions import DbtConfigError

from dbt.adapters.trickle.profile.credentials import PRECISION_LOSS, TrickleCredentials
from dbt.adapters.trickle.profile.keys import NETWORK_KEYS
from dbt.adapters.trickle.warehouses.embedded.contract import contract
from dbt.adapters.trickle.warehouses.embedded.settings import session_settings
from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import table_path


def credentials(**given: Any) -> TrickleCredentials:
    data = {"schema": "shop", **given}
    TrickleCredentials.validate(data)
    return TrickleCredentials.from_dict(data)


def test_a_schema_is_enough() -> None:
    """`type` and `schema` are a usable profile; all other keys have defaults."""
    profile = credentials()

    assert (profile.type, profile.schema, profile.method, profile.warehouse) == (
        "trickle",
        "shop",
        "embedded",
        "warehouse",
    )


def test_a_relative_warehouse_belongs_to_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The current directory does not matter."""
    profile = credentials(warehouse="store")
    monkeypatch.chdir("/")

    profile.anchor(tmp_path / "project")

    assert str(tmp_path / "project" / "store") == profile.warehouse


def test_an_absolute_warehouse_stays_where_it_is(tmp_path: Path) -> None:
    """Projects may share a warehouse by naming its folder."""
    profile = credentials(warehouse=str(tmp_path / "shared"))

    profile.anchor(tmp_path / "project")

    assert str(tmp_path / "shared") == profile.warehouse


@pytest.mark.parametrize("method", ["embedded", "session"])
def test_the_embedded_spark_has_two_names(method: str) -> None:
    """`session` is dbt-spark's name for a Spark in its own process."""
    assert credentials(method=method).method == "embedded"


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"warehose": "x"}, "key `warehose` is not known (did you mean `warehouse`?): allowed are type, schema, warehouse"),
    ({"Warehouse": "x"}, "did you mean `warehouse`?"),
    ({"catalog": "hive"}, "key `catalog` is not known: allowed are"),
    ({"host": "localhost"}, "key `host` is for a Spark that is reached over a network"),
    *(({key: "x"}, f"key `{key}` is for a Spark that is reached over a network") for key in sorted(NETWORK_KEYS)),
    *(({"method": one}, f"`method: {one}` cannot be used") for one in ("thrift", "http", "odbc", "nonsense")),
    ({"when_busy": "Skip"}, "did you mean skip?"),
    (
        {"when_busy": "fail"},
        "`when_busy: fail` cannot be used: write `skip` to skip stream tables while another",
    ),
    ({"schema": ""}, "no `schema`"),
    ({"schema": None}, "no `schema`"),
    ({"schema": 5}, "in quotes: `schema: '5'`"),
    ({"schema": "my shop"}, "digits and underscores"),
    ({"database": "other"}, "leave `database` out"),
    ({"database": 5}, "leave `database` out"),
    *(
        ({"warehouse": place}, f"`warehouse: {place}` cannot be used: the embedded warehouse is a folder")
        for place in ("s3a://b/x", "hdfs://n/x", "abfss://c@a.dfs/x", "gs://b/x", "dbfs:/x", "S3://b", "https://x")
    ),
    ({"warehouse": "file:///data/x"}, "without `file:`: `warehouse: /data/x`"),
    ({"warehouse": "file:x"}, "without `file:`"),
    ({"warehouse": ""}, "write the path of a folder"),
    ({"warehouse": None}, "`warehouse:` cannot be used"),
    ({"warehouse": 5}, "write the path of a folder"),
    ({"warehouse": ["x"]}, "write the path of a folder"),
    ({"time_zone": "Mars/Base"}, "`time_zone: Mars/Base`"),
    ({"time_zone": "europe/berlin"}, "did you mean Europe/Berlin?"),
    ({"time_zone": "Europe"}, "not a known time zone"),
    ({"time_zone": "localtime"}, "not a known time zone"),
    ({"time_zone": "posix/UTC"}, "not a known time zone"),
    ({"time_zone": 5}, "not a known time zone"),
    ({"time_zone": None}, "not a known time zone"),
    *(({"lock_timeout": one}, "write seconds") for one in (-1, "soon", True, None, float("inf"), float("nan"))),
    *(({"driver_memory": one}, "with its unit") for one in ("lots", 4, "4gb", "4 g", "-4g", "1.5g", "", True)),
    *(({"driver_memory": one}, "not start with less") for one in ("100m", "0g", "4")),
    *(({"cores": one}, "a number from 1 on") for one in (0, -1, "two", 1.5, True)),
    ({"server_side_parameters": "x"}, "each as `name: value`"),
    ({"server_side_parameters": ["x"]}, "each as `name: value`"),
    ({"server_side_parameters": {PRECISION_LOSS: False}}, "divided by Spark's default rules. Take the setting out."),
]


@pytest.mark.parametrize(("given", "sentence"), WRONG)
def test_an_invalid_profile_is_refused_in_one_sentence(given: dict[str, Any], sentence: str) -> None:
    """Before anything runs: an unknown key with the nearest one, an invalid value with the allowed ones."""
    with pytest.raises((ValidationError, DbtConfigError)) as refused:
        credentials(**given)

    said = getattr(refused.value, "message", None) or refused.value.msg  # type: ignore[attr-defined]
    assert sentence in said
    assert "\n" not in said
    assert not said.startswith("Runtime Error")


SETTINGS = [
    ("spark.master", "local[1]", "write the profile's key `cores` instead"),
    ("spark.driver.memory", "4g", "write the profile's key `driver_memory` instead"),
    ("spark.sql.warehouse.dir", "/x", "write the profile's key `warehouse` instead"),
    ("spark.sql.session.timeZone", "UTC", "write the profile's key `time_zone` instead"),
    ("spark.sql.extensions", "x.Y", "dbt-trickle sets it when Spark starts"),
    ("spark.sql.catalogImplementation", "in-memory", "dbt-trickle sets it when Spark starts"),
    ("spark.serializer", "x.Y", "dbt-trickle sets it when Spark starts"),
    ("spark.jars", "x.jar", "run ADD JAR in an on-run-start hook"),
    ("spark.jars.packages", "a:b:1", "run ADD JAR in an on-run-start hook"),
    ("spark.executor.memory", "4g", "has no executors"),
    ("spark.hadoop.hive.metastore.uris", "thrift://x", "the catalog is stored in the warehouse's folder"),
    ("spark.driver.extraJavaOptions", "-Xss4m", "JDK_JAVA_OPTIONS"),
    ("spark.remote", "sc://x", "not reached over a network"),
    ("master", "local", "did you mean `spark.master`?"),
    ("hive.exec.parallel", True, "Spark's settings begin with `spark.`"),
    ("spark.sql.ansi.enabeld", True, "did you mean `spark.sql.ansi.enabled`?"),
    ("spark.sql.nothing.like.it", 1, "Spark knows no such setting"),
    ("spark.databricks.delta.schema.autoMerge", True, "Spark knows no such setting"),
    ("spark.sql.shuffle.partitions", [1], "must be a text, a number, true or false"),
    ("spark.sql.shuffle.partitions", None, "must be a text, a number, true or false"),
]


@pytest.mark.parametrize(("name", "value", "sentence"), SETTINGS)
def test_a_setting_that_would_do_nothing_or_harm_is_refused(name: str, value: Any, sentence: str) -> None:
    """Settings that are fixed at start are set by our own keys only."""
    with pytest.raises(ValidationError, match="server_side_parameters") as refused:
        credentials(server_side_parameters={name: value})

    assert f"cannot contain `{name}`" in refused.value.message
    assert sentence in refused.value.message


def test_a_serialized_profile_is_valid() -> None:
    """dbt validates a profile a second time, from its serialized form."""
    profile = credentials(server_side_parameters=None, cores=2)
    written = profile.to_dict(omit_none=True)

    TrickleCredentials.validate(written)

    assert TrickleCredentials.from_dict(written) == profile


def test_debug_shows_effective_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only relevant keys, and no None for a key with a default."""
    shown = dict(credentials(driver_memory="3g").connection_info())

    assert set(shown) == {
        "method",
        "schema",
        "warehouse",
        "time_zone",
        "lock_timeout",
        "when_busy",
        "driver_memory",
        "cores",
    }
    assert None not in dict(credentials().connection_info()).values()
    assert shown["driver_memory"] == "3g"


@pytest.mark.parametrize("place", [".", "..", "", "/"])
def test_a_warehouse_does_not_contain_the_project(place: str, tmp_path: Path) -> None:
    """Parts of the warehouse's folder are emptied, and git ignores it: it must have no other content."""
    profile = TrickleCredentials(schema="shop")
    profile.warehouse = place

    with pytest.raises(DbtConfigError, match="name a folder of its own"):
        profile.anchor(tmp_path)


def test_the_contract_is_pinned_by_default() -> None:
    """ANSI on, case-insensitive, UTC: whatever the machine or dbt-spark would have chosen."""
    pinned = contract(credentials())

    assert pinned["time_zone"] == "UTC"
    assert pinned["ansi"] == "true"
    assert pinned["case_sensitive"] == "false"
    assert pinned["spark"].startswith("4.2.")
    assert pinned["delta"] == "4.4.0"


def test_the_contract_follows_the_profile() -> None:
    """The user's settings of every session are in the contract."""
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
