"""What a model may say about itself, and what it hears when it says something else."""

from __future__ import annotations

from typing import Any

import pytest
from dbt_common.exceptions import CompilationError

from dbt.adapters.trickle.options import StreamTableConfig, read_config
from trickle.options import FloatSums, Options, RefreshMode


def test_nothing_said_means_the_defaults() -> None:
    """A model without any of our keys gets the documented defaults."""
    assert StreamTableConfig() == read_config({"materialized": "stream_table", "tags": []})


def test_everything_said() -> None:
    """Each key arrives where it is used."""
    read = read_config(
        {
            "refresh_mode": "differential",
            "float_sums": "fast",
            "full_refresh_threshold": 0.25,
            "on_configuration_change": "fail",
            "on_source_ddl": "fail",
            "change_source": {"shop.Orders": "append"},
            "retention": "2w",
            "partition_by": ["day", "country"],
            "cluster_by": "id",
            "tblproperties": {"delta.appendOnly": False},
            "location_root": "/data",
            "schedule": {"cron": "0 3 * * *", "time_zone": "Europe/Berlin"},
            "max_consecutive_errors": 5,
            "hooks_on_skip": True,
            "on_stale": "Warn",
        }
    )

    assert Options(RefreshMode.INCREMENTAL, FloatSums.FAST, 0.25) == read.engine
    assert (read.on_configuration_change, read.on_source_ddl, read.retention_hours) == ("fail", "fail", 336)
    assert (
        read.change_source_for("shop.orders"),
        read.change_source_for("shop.customers"),
    ) == ("append", "auto")
    assert (read.partition_by, read.cluster_by) == (("day", "country"), ("id",))
    assert read.tblproperties == {"delta.appendOnly": "false"}
    assert (read.max_consecutive_errors, read.hooks_on_skip, read.on_stale) == (5, True, "warn")


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        (
            {"refresh_mode": "sometimes"},
            "`refresh_mode: sometimes` is not allowed; say auto or incremental or full.",
        ),
        ({"refresh_mode": True}, "`refresh_mode: True` is not allowed"),
        ({"refresh_mode": "immediate"}, "`refresh_mode: immediate` is not yet supported"),
        ({"float_sums": "quick"}, "`float_sums: quick` is not allowed; say exact or fast."),
        ({"full_refresh_threshold": 3}, "between 0.0 and 1.0"),
        ({"full_refresh_threshold": "lots"}, "between 0.0 and 1.0"),
        ({"unique_key": []}, "a column or a list of columns"),
        ({"on_configuration_change": "maybe"}, "say apply or continue or fail"),
        ({"on_source_ddl": "ignore"}, "say reinitialize or fail"),
        ({"change_source": "guess"}, "say auto or append or feed"),
        ({"change_source": "diff"}, "not yet supported"),
        ({"change_source": {"s.t": "poll"}}, "not yet supported"),
        ({"retention": "soon"}, "30d, 2w or 720h"),
        ({"retention": "0d"}, "30d, 2w or 720h"),
        ({"schedule": "5 min"}, "`schedule: 5 min` is not allowed: say a duration such as 5m"),
        ({"schedule": "5 min"}, "the nearest is `5m`."),
        ({"schedule": {"every": "5m", "cron": "@daily"}}, "exactly one of target_lag, every, cron, on_update"),
        ({"unique_key": ["a", "b"]}, "`unique_key: a, b` is not yet supported"),
        ({"grants": {"select": ["bi"]}}, "`grants` cannot be kept"),
        ({"sql_header": "set spark.sql.ansi.enabled=false"}, "`sql_header` is not run for a stream table"),
        (
            {"max_consecutive_errors": 0},
            "`max_consecutive_errors: 0` is not allowed; say a number of refreshes from 1 on",
        ),
        ({"max_consecutive_errors": True}, "a number of refreshes from 1 on"),
        ({"on_stale": "skip"}, "`on_stale: skip` is not allowed; say error or warn or ignore."),
        ({"on_stael": "warn"}, "did you mean `on_stale`?"),
        ({"hooks_on_skip": "yes"}, "`hooks_on_skip: yes` is not allowed; say true or false."),
        ({"location_root": "s3://bucket/x"}, "an absolute folder of this machine"),
        ({"location_root": "here"}, "an absolute folder of this machine"),
        ({"tblproperties": ["a"]}, "a mapping of property names to values"),
    ],
)
def test_what_is_refused(config: dict[str, Any], sentence: str) -> None:
    """Every refusal names the key, the value and what is allowed, in one sentence."""
    with pytest.raises(CompilationError) as refused:
        read_config(config)

    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("misspelt", "meant"),
    [("refresh_mod", "refresh_mode"), ("float_sum", "float_sums"), ("retentoin", "retention")],
)
def test_a_misspelt_key_is_named(misspelt: str, meant: str) -> None:
    """A key one slip away from ours is an error, not silently without effect."""
    with pytest.raises(CompilationError, match=f"`{misspelt}` is not a config.*`{meant}`"):
        read_config({misspelt: "x"})


def test_keys_of_others_are_left_alone() -> None:
    """dbt's, dbt-spark's and the user's own keys pass."""
    read_config({"incremental_strategy": "merge", "on_schema_change": "ignore", "my_team": "x", "cluster": 1})
