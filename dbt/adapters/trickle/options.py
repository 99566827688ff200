"""A model's configuration → what the engine and the storage are told. The only reader of our config keys."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from dbt_common.exceptions import CompilationError

from trickle import FloatSums, Options, RefreshMode, TrickleError, parse_schedule

KEYS = (
    "schedule",
    "refresh_mode",
    "on_configuration_change",
    "on_source_ddl",
    "change_source",
    "full_refresh_threshold",
    "unique_key",
    "float_sums",
    "max_consecutive_errors",
    "on_stale",
    "retention",
    "hooks_on_skip",
)
FOREIGN_KEYS = frozenset({"incremental_strategy", "incremental_predicates", "merge_update_columns"})
"""Keys of dbt-spark whose names must not be taken for misspelt ones of ours."""

DURATION = re.compile(r"(\d+)\s*(h|hours?|d|days?|w|weeks?)")
HOURS = {"h": 1, "d": 24, "w": 168}
DEFAULT_RETENTION_HOURS = 30 * 24
DEFAULT_MOST_ERRORS = 3


@dataclass(frozen=True)
class StreamTableConfig:
    """Everything a stream table may be told, validated."""

    engine: Options = field(default_factory=Options)
    on_configuration_change: str = "apply"
    on_source_ddl: str = "reinitialize"
    change_source: str = "auto"
    change_source_of: Mapping[str, str] = field(default_factory=dict)
    """Source → kind, where sources were named one by one."""
    retention_hours: int = DEFAULT_RETENTION_HOURS
    partition_by: tuple[str, ...] = ()
    cluster_by: tuple[str, ...] = ()
    tblproperties: Mapping[str, str] = field(default_factory=dict)
    location_root: str | None = None
    max_consecutive_errors: int = DEFAULT_MOST_ERRORS
    on_stale: str = "error"
    hooks_on_skip: bool = False
    schedule: str = ""
    """As written, in one text: whether it changed is all that is asked here."""

    def change_source_for(self, source: str) -> str:
        return self.change_source_of.get(source, self.change_source)


def read_config(config: Mapping[str, Any]) -> StreamTableConfig:
    """Validate a model's config; every complaint is one sentence that names the key and what it allows."""
    _refuse_misspelt(config)
    for key, refuse in _NOT_YET.items():
        if config.get(key) is not None:
            refuse(config[key])
    _check_schedule(config.get("schedule"))
    change_source, change_source_of = _change_source(config.get("change_source", "auto"))
    return StreamTableConfig(
        engine=Options(
            refresh_mode=RefreshMode(_refresh_mode(config.get("refresh_mode", "auto"))),
            float_sums=FloatSums(_one_of("float_sums", config.get("float_sums", "exact"), "exact", "fast")),
            full_refresh_threshold=_threshold(config.get("full_refresh_threshold", "auto")),
        ),
        on_configuration_change=_one_of(
            "on_configuration_change",
            _plain(config.get("on_configuration_change", "apply")),
            *("apply", "continue", "fail"),
        ),
        on_source_ddl=_one_of("on_source_ddl", config.get("on_source_ddl", "reinitialize"), "reinitialize", "fail"),
        change_source=change_source,
        change_source_of=change_source_of,
        retention_hours=_retention(config.get("retention", "30d")),
        partition_by=_columns("partition_by", config.get("partition_by")),
        cluster_by=_columns("cluster_by", config.get("cluster_by", config.get("liquid_clustered_by"))),
        tblproperties=_properties(config.get("tblproperties")),
        location_root=_location_root(config.get("location_root")),
        max_consecutive_errors=_most_errors(config.get("max_consecutive_errors", DEFAULT_MOST_ERRORS)),
        on_stale=_one_of("on_stale", config.get("on_stale", "error"), "error", "warn", "ignore"),
        hooks_on_skip=_yes_or_no("hooks_on_skip", config.get("hooks_on_skip", False)),
        schedule=_as_written(config.get("schedule")),
    )


def _check_schedule(value: object) -> None:
    """Only whether it is one: what it comes to is for the whole graph to say."""
    if value is None:
        return
    try:
        parse_schedule(value)
    except TrickleError as wrong:
        raise CompilationError(wrong.message) from wrong


def _most_errors(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    raise _refuse("max_consecutive_errors", value, "a number of refreshes from 1 on")


def _yes_or_no(key: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise _refuse(key, value, "true or false")


def _refuse(key: str, value: object, allowed: str) -> CompilationError:
    return CompilationError(f"`{key}: {value}` is not allowed; say {allowed}.")


def _one_of(key: str, value: object, *allowed: str) -> str:
    if isinstance(value, str) and value.lower() in allowed:
        return value.lower()
    raise _refuse(key, value, " or ".join(allowed))


def _plain(value: object) -> object:
    """dbt hands its own keys over as enums in some places and as text in others."""
    return getattr(value, "value", value)


def _as_written(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)


def schedule_as_kept(text: str) -> object:
    """The schedule back from the text that the storage keeps."""
    return json.loads(text) if text.startswith("{") else text or None


def _refresh_mode(value: object) -> str:
    if value == "differential":
        return "incremental"
    if value == "immediate":
        raise CompilationError(
            "`refresh_mode: immediate` is not yet supported; say auto, incremental or full "
            "and run dbt as often as the data must be fresh."
        )
    return _one_of("refresh_mode", value, "auto", "incremental", "full")


def _threshold(value: object) -> float | None:
    if value == "auto":
        return None
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1:
        return float(value)
    raise _refuse("full_refresh_threshold", value, "auto or a share of changed rows between 0.0 and 1.0")


def _columns(key: str, value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    names = [value] if isinstance(value, str) else value
    if isinstance(names, (list, tuple)) and names and all(isinstance(n, str) and n.strip() for n in names):
        return tuple(name.strip() for name in names)
    raise _refuse(key, value, "a column or a list of columns")


def _change_source(value: object) -> tuple[str, Mapping[str, str]]:
    if isinstance(value, Mapping):
        kinds = {str(source).lower(): _change_source_kind(kind) for source, kind in value.items()}
        return "auto", kinds
    return _change_source_kind(value), {}


def _change_source_kind(value: object) -> str:
    if value in ("diff", "poll", "changes"):
        raise CompilationError(
            f"`change_source: {value}` is not yet supported; say auto, append or feed, "
            "or name sources with one of these each."
        )
    return _one_of("change_source", value, "auto", "append", "feed")


def _retention(value: object) -> int:
    match = DURATION.fullmatch(value.strip().lower()) if isinstance(value, str) else None
    if match is None or int(match[1]) == 0:
        raise _refuse("retention", value, "a duration such as 30d, 2w or 720h")
    return int(match[1]) * HOURS[match[2][0]]


def _properties(value: object) -> Mapping[str, str]:
    if value is None:
        return {}
    if isinstance(value, Mapping):
        return {str(name): _property_text(text) for name, text in value.items()}
    raise _refuse("tblproperties", value, "a mapping of property names to values")


def _property_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _location_root(value: object) -> str | None:
    if value is None:
        return None
    if isinstance(value, str) and value.removeprefix("file:").startswith("/"):
        return "/" + value.removeprefix("file:").strip("/")
    raise _refuse("location_root", value, "an absolute folder of this machine (other file systems come later)")


def _refuse_misspelt(config: Mapping[str, Any]) -> None:
    for key in config:
        if key in KEYS or key in FOREIGN_KEYS or key in _DBT_KEYS:
            continue
        near = get_close_matches(str(key).lower(), KEYS, n=1, cutoff=0.84)
        if near:
            raise CompilationError(f"`{key}` is not a config of stream tables; did you mean `{near[0]}`?")


def _unique_key(value: object) -> None:
    names = ", ".join(_columns("unique_key", value))
    raise CompilationError(
        f"`unique_key: {names}` is not yet supported; leave it out: a stream table needs no key, "
        "rows without one are kept exact by counting them."
    )


def refuse_grants(value: object) -> None:
    """Of any model: dbt would ask after the rows are written."""
    if value:
        raise CompilationError(
            "`grants` cannot be kept: the embedded Spark has no users, and no GRANT. Take them out, or say them for "
            "other targets only: `grants: \"{{ {} if target.type == 'trickle' else {'select': ['bi']} }}\"`."
        )


def _sql_header(value: object) -> None:
    """Rows of one refresh under other settings than those of the next would be wrong, and silence about it too."""
    if value:
        raise CompilationError(
            "`sql_header` is not run for a stream table: put settings into the profile's `server_side_parameters`, "
            "and anything else into a `pre_hook`."
        )


_NOT_YET: Mapping[str, Callable[[object], None]] = {
    "unique_key": _unique_key,
    "grants": refuse_grants,
    "sql_header": _sql_header,
}

_DBT_KEYS = frozenset(
    {
        *("enabled", "alias", "schema", "database", "tags", "meta", "group", "materialized", "persist_docs"),
        *("post_hook", "pre_hook", "post-hook", "pre-hook", "quoting", "column_types", "full_refresh"),
        *("on_schema_change", "grants", "packages", "docs", "contract", "event_time", "concurrent_batches"),
        *("batch_size", "lookback", "begin", "access", "freshness", "file_format", "location_root"),
        *("partition_by", "clustered_by", "cluster_by", "liquid_clustered_by", "buckets", "options"),
        *("tblproperties", "sql_header", "static_analysis", "unlogged", "node_color"),
    }
)
"""What dbt and dbt-spark themselves read."""
