"""All keys of a stream table's configuration: ours, and those of dbt that the adapter reads."""

from __future__ import annotations

from typing import Any

from dbt.adapters.trickle.options.arrangements import ARRANGEMENTS
from dbt.adapters.trickle.options.change_source import CHANGE_SOURCE
from dbt.adapters.trickle.options.cluster_by import CLUSTER_BY
from dbt.adapters.trickle.options.float_sums import FLOAT_SUMS
from dbt.adapters.trickle.options.full_refresh_threshold import FULL_REFRESH_THRESHOLD
from dbt.adapters.trickle.options.grants import GRANTS
from dbt.adapters.trickle.options.hooks_on_skip import HOOKS_ON_SKIP
from dbt.adapters.trickle.options.location_root import LOCATION_ROOT
from dbt.adapters.trickle.options.max_consecutive_errors import MAX_CONSECUTIVE_ERRORS
from dbt.adapters.trickle.options.on_configuration_change import ON_CONFIGURATION_CHANGE
from dbt.adapters.trickle.options.on_source_ddl import ON_SOURCE_DDL
from dbt.adapters.trickle.options.on_stale import ON_STALE
from dbt.adapters.trickle.options.partition_by import PARTITION_BY
from dbt.adapters.trickle.options.refresh_mode import REFRESH_MODE
from dbt.adapters.trickle.options.retention import RETENTION
from dbt.adapters.trickle.options.schedule import SCHEDULE
from dbt.adapters.trickle.options.sql_header import SQL_HEADER
from dbt.adapters.trickle.options.tblproperties import TBLPROPERTIES
from dbt.adapters.trickle.options.unique_key import UNIQUE_KEY

ALL: tuple[Any, ...] = (
    SCHEDULE,
    REFRESH_MODE,
    ON_CONFIGURATION_CHANGE,
    ON_SOURCE_DDL,
    CHANGE_SOURCE,
    FULL_REFRESH_THRESHOLD,
    UNIQUE_KEY,
    FLOAT_SUMS,
    ARRANGEMENTS,
    MAX_CONSECUTIVE_ERRORS,
    ON_STALE,
    RETENTION,
    HOOKS_ON_SKIP,
    PARTITION_BY,
    CLUSTER_BY,
    TBLPROPERTIES,
    LOCATION_ROOT,
    GRANTS,
    SQL_HEADER,
)

KEYS = tuple(key.name for key in ALL if key.ours)
"""The names of our own keys."""

OTHERS = frozenset(
    {
        *("enabled", "alias", "schema", "database", "tags", "meta", "group", "materialized", "persist_docs"),
        *("post_hook", "pre_hook", "post-hook", "pre-hook", "quoting", "column_types", "full_refresh"),
        *("on_schema_change", "packages", "docs", "contract", "event_time", "concurrent_batches"),
        *("batch_size", "lookback", "begin", "access", "freshness", "file_format"),
        *("clustered_by", "buckets", "options", "static_analysis", "unlogged", "node_color"),
        *("incremental_strategy", "incremental_predicates", "merge_update_columns"),
        *(name for key in ALL for name in (key.name, *key.aliases) if not key.ours),
    }
)
"""Keys of dbt and dbt-spark, which are not misspelt keys of ours."""
