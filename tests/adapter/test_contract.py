"""The contract names every setting that can change a result and is not Spark's default, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from dbt.adapters.trickle.warehouses.embedded.contract import contract
from dbt.adapters.trickle.warehouses.embedded.relevant_settings import defaults
from dbt.adapters.trickle.warehouses.embedded.restored_settings import of_profile, restore_settings
from tests.adapter.lake import Lake
from tests.adapter.recording_session import RecordingSession
from tests.facts import compiled
from trickle import Column, Table
from trickle.reasons import reason

USUAL = {"time_zone", "ansi", "case_sensitive", "spark", "delta"}


@dataclass(frozen=True)
class Profile:
    """The profile's keys that a contract depends on."""

    server_side_parameters: dict[str, str]
    time_zone: str = "UTC"


def profile(**parameters: str) -> Profile:
    return Profile(parameters)


def named(**parameters: str) -> dict[str, str]:
    """The settings in a contract besides the constant ones."""
    return {key: value for key, value in contract(profile(**parameters)).items() if key not in USUAL}


def test_a_profile_without_parameters_has_the_usual_contract() -> None:
    """Our own settings of a session change no result."""
    assert set(contract(profile())) == USUAL


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("spark.sql.parser.escapedStringLiterals", "true"),
        ("spark.sql.decimalOperations.allowPrecisionLoss", "false"),
        ("spark.sql.legacy.sizeOfNull", "false"),
        ("spark.sql.legacy.timeParserPolicy", "LEGACY"),
        ("spark.sql.mapKeyDedupPolicy", "LAST_WIN"),
        ("spark.sql.storeAssignmentPolicy", "LEGACY"),
        ("spark.sql.groupByOrdinal", "false"),
        ("spark.sql.orderByOrdinal", "false"),
        ("spark.sql.timestampType", "TIMESTAMP_NTZ"),
        ("spark.sql.cteRecursionLevelLimit", "7"),
        ("spark.sql.parquet.int96RebaseModeInRead", "LEGACY"),
        ("spark.sql.ansi.doubleQuotedIdentifiers", "true"),
        ("spark.sql.optimizer.excludedRules", "org.apache.Rule"),
        ("spark.sql.optimizer.decorrelateSubqueryLegacyIncorrectCountHandling.enabled", "true"),
        ("spark.sql.files.ignoreMissingFiles", "true"),
        ("spark.sql.variable.substitute", "false"),
        ("spark.databricks.delta.updateAndMergeCastingFollowsAnsiEnabledFlag", "true"),
        ("spark.databricks.delta.schema.autoMerge.enabled", "true"),
    ],
)
def test_settings_that_change_results_are_named(key: str, value: str) -> None:
    """With their values, so that a change of a value is noticed."""
    assert named(**{key: value}) == {key: value}


@pytest.mark.parametrize(
    "key",
    [
        "spark.sql.shuffle.partitions",
        "spark.sql.adaptive.enabled",
        "spark.sql.autoBroadcastJoinThreshold",
        "spark.sql.codegen.wholeStage",
        "spark.sql.files.maxPartitionBytes",
        "spark.sql.ui.retainedExecutions",
        "spark.sql.warehouse.dir",
        "spark.sql.catalog.pg.password",
        "spark.sql.hive.metastore.version",
        "spark.sql.streaming.stopTimeout",
        "spark.sql.parquet.compression.codec",
        "spark.databricks.delta.optimizeWrite.enabled",
        "spark.databricks.delta.autoCompact.enabled",
        "spark.databricks.delta.retentionDurationCheck.enabled",
        "spark.databricks.delta.properties.defaults.enableDeletionVectors",
        "spark.driver.memory",
        "spark.default.parallelism",
        "spark.hadoop.fs.s3a.secret.key",
    ],
)
def test_settings_that_change_no_result_are_not_named(key: str) -> None:
    """They may be changed at any time without a rebuild."""
    assert named(**{key: "7"}) == {}


def test_a_default_that_is_spelt_out_is_no_departure() -> None:
    """Spark reads booleans and names of modes in any case."""
    said = {"spark.sql.groupByOrdinal": "TRUE", "spark.sql.legacy.timeParserPolicy": "corrected"}
    said["spark.sql.cteRecursionLevelLimit"] = " 100 "

    assert named(**said) == {}
    assert named(**{"spark.sql.legacy.timeParserPolicy": "legacy"}) == {"spark.sql.legacy.timeParserPolicy": "LEGACY"}


def test_a_setting_of_an_extension_is_recorded_as_a_fingerprint() -> None:
    """Its effect is unknown, and it may be a password."""
    one = named(**{"spark.sql.geo.token": "hunter2"})
    other = named(**{"spark.sql.geo.token": "hunter3"})

    assert one.keys() == other.keys() == {"spark.sql.geo.token"}
    assert one != other
    assert "hunter2" not in str(one)


@pytest.mark.parametrize("asks", ["'${spark.app.id}'", "`b` AS `${env:HOME}`", "b || '${system:user.name}'"])
def test_variables_in_a_text_are_not_constant(asks: str) -> None:
    """Settings and the environment are inserted for `${…}`, even in literals: such a query is always recomputed."""
    columns = (Column("a", "int"), Column("b", "string"))
    view = compiled(f"SELECT a, {asks} FROM s.r", lambda name: Table(name, columns))

    assert [one.code for one in view.reasons] == ["session_function"]
    assert "${" in view.reasons[0].sentence()


def test_every_listed_setting_counts_with_a_default() -> None:
    """The list is read as it was written."""
    assert len(defaults()) > 500
    assert defaults()["spark.sql.legacy.timeParserPolicy"] == "CORRECTED"


def test_a_session_is_restored_to_the_profile() -> None:
    """Relevant settings that a hook changed are restored; irrelevant ones stay as the hook set them."""
    own = profile(**{"spark.sql.groupByOrdinal": "false"})
    session = RecordingSession(values={**of_profile(own), "spark.sql.shuffle.partitions": "9"})
    assert restore_settings(session, of_profile(own)) == []

    session.set({"spark.sql.session.timeZone": "Asia/Tokyo", "spark.sql.parser.escapedStringLiterals": "true"})
    session.set({"spark.sql.orderByOrdinal": "true", "spark.sql.groupByOrdinal": None, "spark.sql.ansi.enabled": None})
    put_back = restore_settings(session, of_profile(own))

    assert put_back == [
        "spark.sql.groupByOrdinal to its default",
        "spark.sql.parser.escapedStringLiterals to true",
        "spark.sql.session.timeZone to Asia/Tokyo",
    ]
    assert session.values["spark.sql.groupByOrdinal"] == "false"
    assert session.values["spark.sql.session.timeZone"] == "UTC"
    assert session.values["spark.sql.shuffle.partitions"] == "9"
    assert "spark.sql.parser.escapedStringLiterals" not in session.values


def test_restored_settings_are_a_note_and_a_warning(tmp_path: Path) -> None:
    """The author of the hook reads on the console that its setting does not affect the rows."""
    lake = Lake(tmp_path)
    lake.table("r")
    lake.restored = (reason("setting_restored", what="spark.sql.ansi.enabled to false"),)
    decision = lake.decide("m", "SELECT a, b FROM s.r", "run-1")

    assert [one.code for one in decision.plan.notes] == ["setting_restored"]
    assert decision.warning.startswith("s.m: A hook or the model's own Jinja has set spark.sql.ansi.enabled")
