"""What a model may say about itself, and what it hears when it says something else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from dbt_common.exceptions import CompilationError

from dbt.adapters.trickle.options import keys, read_config
from dbt.adapters.trickle.options.arrangements import Arranging
from dbt.adapters.trickle.options.change_source import CHANGE_SOURCE, ChangeSources
from dbt.adapters.trickle.options.cluster_by import CLUSTER_BY
from dbt.adapters.trickle.options.hooks_on_skip import HOOKS_ON_SKIP
from dbt.adapters.trickle.options.keys import ALL
from dbt.adapters.trickle.options.max_consecutive_errors import MAX_CONSECUTIVE_ERRORS
from dbt.adapters.trickle.options.on_configuration_change import ON_CONFIGURATION_CHANGE
from dbt.adapters.trickle.options.on_source_ddl import ON_SOURCE_DDL
from dbt.adapters.trickle.options.on_stale import ON_STALE
from dbt.adapters.trickle.options.partition_by import PARTITION_BY
from dbt.adapters.trickle.options.retention import RETENTION
from dbt.adapters.trickle.options.tblproperties import TBLPROPERTIES
from trickle.options import FloatSums, Options, RefreshMode


def test_nothing_said_means_the_defaults() -> None:
    """A model without any of our keys gets the documented defaults."""
    config = read_config({"materialized": "stream_table", "tags": []})

    assert config.engine == Options()
    assert {key.name: config[key] for key in ALL if key.ours} == {
        "schedule": "",
        "refresh_mode": RefreshMode.AUTO,
        "on_configuration_change": "apply",
        "on_source_ddl": "reinitialize",
        "change_source": ChangeSources(),
        "full_refresh_threshold": None,
        "unique_key": None,
        "float_sums": FloatSums.EXACT,
        "arrangements": Arranging.AUTO,
        "max_consecutive_errors": 3,
        "on_stale": "error",
        "retention": 720,
        "hooks_on_skip": False,
    }


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
    assert (read[ON_CONFIGURATION_CHANGE], read[ON_SOURCE_DDL], read[RETENTION]) == ("fail", "fail", 336)
    assert (
        read[CHANGE_SOURCE].kind("shop.orders"),
        read[CHANGE_SOURCE].kind("shop.customers"),
    ) == ("append", "auto")
    assert (read[PARTITION_BY], read[CLUSTER_BY]) == (("day", "country"), ("id",))
    assert read[TBLPROPERTIES] == {"delta.appendOnly": "false"}
    assert (read[MAX_CONSECUTIVE_ERRORS], read[HOOKS_ON_SKIP], read[ON_STALE]) == (5, True, "warn")


REFUSED = [
    (
        {"refresh_mode": "sometimes"},
        "`refresh_mode: sometimes` is not allowed; write auto or incremental or full.",
    ),
    ({"refresh_mode": True}, "`refresh_mode: True` is not allowed"),
    ({"refresh_mode": "immediate"}, "`refresh_mode: immediate` does not exist"),
    ({"arrangements": "all"}, "`arrangements: all` is not allowed; write auto or always or none."),
    ({"float_sums": "quick"}, "`float_sums: quick` is not allowed; write exact or fast."),
    ({"full_refresh_threshold": 3}, "between 0.0 and 1.0"),
    ({"full_refresh_threshold": "lots"}, "between 0.0 and 1.0"),
    ({"unique_key": []}, "a column or a list of columns"),
    ({"on_configuration_change": "maybe"}, "write apply or continue or fail"),
    ({"on_source_ddl": "ignore"}, "write reinitialize or fail"),
    ({"change_source": "guess"}, "write auto or append or feed"),
    ({"change_source": "diff"}, "not yet supported"),
    ({"change_source": {"s.t": "poll"}}, "not yet supported"),
    ({"retention": "soon"}, "30d, 2w or 720h"),
    ({"retention": "0d"}, "30d, 2w or 720h"),
    ({"schedule": "5 min"}, "`schedule: 5 min` is not allowed: say a duration such as 5m"),
    ({"schedule": "5 min"}, "the nearest is `5m`."),
    ({"schedule": {"every": "5m", "cron": "@daily"}}, "exactly one of target_lag, every, cron, on_update"),
    ({"unique_key": ["a", "b"]}, "`unique_key: a, b` is not yet supported"),
    ({"grants": {"select": ["bi"]}}, "`grants` cannot be applied"),
    ({"sql_header": "set spark.sql.ansi.enabled=false"}, "`sql_header` is not run for a stream table"),
    (
        {"max_consecutive_errors": 0},
        "`max_consecutive_errors: 0` is not allowed; write a number of refreshes from 1 on",
    ),
    ({"max_consecutive_errors": True}, "a number of refreshes from 1 on"),
    ({"on_stale": "skip"}, "`on_stale: skip` is not allowed; write error or warn or ignore."),
    ({"on_stael": "warn"}, "did you mean `on_stale`?"),
    ({"hooks_on_skip": "yes"}, "`hooks_on_skip: yes` is not allowed; write true or false."),
    ({"location_root": "s3://bucket/x"}, "an absolute folder of this machine"),
    ({"location_root": "here"}, "an absolute folder of this machine"),
    ({"partition_by": []}, "a column or a list of columns"),
    ({"liquid_clustered_by": 3, "cluster_by": 3}, "a column or a list of columns"),
    ({"tblproperties": ["a"]}, "a mapping of property names to values"),
]


def test_every_key_refuses_something() -> None:
    """Each of our keys, and of dbt's that we read, has a value among those below that it does not take."""
    refused = {name for config, _ in REFUSED for name in config}

    assert {key.name for key in ALL} <= refused


def test_every_file_of_a_key_is_listed() -> None:
    """A key that is in no list is read by nobody."""
    files = {file.stem for file in Path(keys.__file__).parent.glob("*.py")}

    assert files - {"__init__", "key", "keys", "config"} == {key.name for key in ALL}


@pytest.mark.parametrize(("config", "sentence"), REFUSED)
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
