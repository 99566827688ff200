"""Properties, partitioning and clustering of a storage: configured, as built, and the ALTERs between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from dbt_common.exceptions import CompilationError

from dbt.adapters.trickle.history.delta_files import DeltaLog
from dbt.adapters.trickle.history.delta_files.snapshot import clustering_at, metadata_at
from dbt.adapters.trickle.options import StreamTableConfig, schedule
from dbt.adapters.trickle.options.cluster_by import CLUSTER_BY
from dbt.adapters.trickle.options.location_root import LOCATION_ROOT
from dbt.adapters.trickle.options.partition_by import PARTITION_BY
from dbt.adapters.trickle.options.retention import RETENTION
from dbt.adapters.trickle.options.tblproperties import TBLPROPERTIES
from dbt.adapters.trickle.storages.constraints import CheckConstraint
from trickle.plan.names import shown_name, stored_name

QUERY = "trickle.query"
"""The compiled SELECT: tests and audits read it here, because dbt does not pass it from node to node."""

FACADE = "trickle.facade"
"""Fingerprint of the view last created in front of the storage; a rebuild removes it, so a missing view is noticed."""

CONSTRAINTS = "trickle.constraints"
"""Fingerprint of the constraints last enforced on the storage; a rebuild removes both."""

STORAGE_OF = "trickle.storage_of"
"""The storage's own name, `schema.identifier` in lower case: it marks our storages, and differs from a clone's name."""

RETIRED = "trickle.retired"
"""Set when the model stops being a stream table, before its new relation is built."""

ERRORS = "trickle.consecutive_errors"
"""The number of consecutive failed refreshes; absent or 0 if the last one succeeded."""

STATUS = "trickle.status"
"""`suspended` after too many failures, `failed` if the last refresh failed; else `active`, or absent."""

SCHEDULE = "trickle.schedule"

SETTING_DEFAULTS: Mapping[str, str] = {
    SCHEDULE: "",
    "trickle.refresh_mode": "auto",
    "trickle.float_sums": "exact",
    "trickle.full_refresh_threshold": "auto",
}
"""Configuration stored on the storage, so that a change of it is noticed; absent means the default."""

CONSTRAINT = "delta.constraints."
"""The prefix of the properties in which Delta stores CHECK constraints."""

NOT_STORED = ("delta.feature.", "delta.minreaderversion", "delta.minwriterversion")
"""Properties that Delta acts on and does not store: comparing them would alter the table on every run."""


@dataclass(frozen=True)
class TableProperties:
    """All properties of a storage table except its rows."""

    partition_by: tuple[str, ...] = ()
    cluster_by: tuple[str, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)
    location: str | None = None
    settings: Mapping[str, str] = field(default_factory=lambda: dict(SETTING_DEFAULTS))
    """The keys of SETTING_DEFAULTS."""

    @property
    def create_properties(self) -> dict[str, str]:
        """The properties of a new table; settings only if they differ from the defaults."""
        settings = {name: value for name, value in self.settings.items() if value != SETTING_DEFAULTS[name]}
        return {**self.properties, **settings}


@dataclass(frozen=True)
class TableChange:
    """The ALTERs of an ordinary refresh; `rebuild` is the reason why ALTER is not enough."""

    properties: Mapping[str, str] = field(default_factory=dict)
    cluster_by: tuple[str, ...] | None = None
    rebuild: str = ""
    replaceable: bool = True
    """False when Delta refuses even to replace the table: it must be dropped first."""

    @property
    def empty(self) -> bool:
        return not self.properties and self.cluster_by is None and not self.rebuild

    def without(self, name: str) -> TableChange:
        return replace(self, properties={key: value for key, value in self.properties.items() if key != name})

    @property
    def alters(self) -> str:
        """The changes an ALTER would make, as a sentence."""
        changed = [f"`{_key(name)}`" for name in sorted(self.properties)]
        changed += ["`cluster_by`"] if self.cluster_by is not None else []
        return f"The layout changed since the last refresh: {', '.join(changed)}." if changed else ""


def configured_properties(config: StreamTableConfig, storage: str) -> TableProperties:
    """The configured properties of a model; the user's own override ours."""
    retention = f"interval {config[RETENTION]} hours"
    properties = {
        "delta.enableChangeDataFeed": "true",
        "delta.enableDeletionVectors": "true",
        "delta.deletedFileRetentionDuration": retention,
        "delta.logRetentionDuration": retention,
    }
    properties.update(config[TBLPROPERTIES])
    root = config[LOCATION_ROOT]
    location = f"{root.rstrip('/')}/{storage}" if root else None
    engine = config.engine
    settings = {
        SCHEDULE: config[schedule.SCHEDULE],
        "trickle.refresh_mode": engine.refresh_mode.value,
        "trickle.float_sums": engine.float_sums.value,
        "trickle.full_refresh_threshold": "auto"
        if engine.full_refresh_threshold is None
        else str(engine.full_refresh_threshold),
    }
    return TableProperties(_stored(config[PARTITION_BY]), _stored(config[CLUSTER_BY]), properties, location, settings)


def _stored(columns: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the columns in the storage."""
    return tuple(stored_name(name.strip("`")) for name in columns)


def built_properties(log: DeltaLog) -> TableProperties:
    """The properties as built, so that no ALTER is needed and a rebuild keeps them."""
    metadata = metadata_at(log, log.latest)
    properties = {
        name: value for name, value in metadata.properties.items() if not name.startswith(("trickle.", CONSTRAINT))
    }
    settings = {name: metadata.properties.get(name, default) for name, default in SETTING_DEFAULTS.items()}
    clustering = clustering_at(log, log.latest) or ()
    return TableProperties(metadata.partition_columns, clustering, properties, None, settings)


def table_change(wanted: TableProperties, log: DeltaLog) -> TableChange:
    """The change from the log: properties and clustering are altered, another partitioning needs a rebuild."""
    metadata = metadata_at(log, log.latest)
    present = {name.lower(): value for name, value in metadata.properties.items()}
    properties = {
        name: value
        for name, value in wanted.properties.items()
        if present.get(name.lower()) != value and not name.lower().startswith(NOT_STORED)
    }
    properties |= {
        name: value
        for name, value in wanted.settings.items()
        if metadata.properties.get(name, SETTING_DEFAULTS[name]) != value
    }
    clustering = clustering_at(log, log.latest)
    rebuild = ""
    if _lower(wanted.partition_by) != _lower(metadata.partition_columns):
        rebuild = f"`partition_by` changed from {_list(metadata.partition_columns)} to {_list(wanted.partition_by)}"
    elif wanted.cluster_by and metadata.partition_columns:
        rebuild = "A partitioned table cannot be clustered by ALTER"
    differs = clustering is not None and _lower(wanted.cluster_by) != _lower(clustering)
    columns = wanted.cluster_by if differs and not rebuild else None
    # Delta refuses to replace a clustered table by a partitioned one.
    return TableChange(properties, columns, rebuild, not (clustering and wanted.partition_by))


def refuse_unknown_columns(
    config: StreamTableConfig, checks: Sequence[CheckConstraint], columns: Sequence[str]
) -> None:
    """Refuse configured columns that the SELECT does not have, before anything is written."""
    known = {name.lower(): name for name in columns}
    named = [("partition_by", name) for name in _stored(config[PARTITION_BY])]
    # A field of a struct may be clustered by.
    named += [
        ("cluster_by", name if name.lower() in known else name.split(".")[0]) for name in _stored(config[CLUSTER_BY])
    ]
    named += [(f"the constraint {check.name}", name) for check in checks for name in check.columns]
    for key, name in named:
        if name.lower() not in known:
            near = get_close_matches(name.lower(), known, n=1)
            instead = f"did you mean `{shown_name(known[near[0]])}`?" if near else f"there are {_list(tuple(columns))}."
            where = key if key.startswith("the ") else f"`{key}`"
            raise CompilationError(f"There is no column `{shown_name(name)}`, which {where} names; {instead}")


def _key(property_name: str) -> str:
    """The config key of a property, as the user wrote it."""
    return property_name.removeprefix("trickle.") if property_name in SETTING_DEFAULTS else property_name


def _lower(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name.lower().strip("`") for name in names)


def _list(names: tuple[str, ...]) -> str:
    return ", ".join(shown_name(name) for name in names) or "none"
