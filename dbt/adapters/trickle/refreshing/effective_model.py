"""The model that is refreshed: as configured, or with `on_configuration_change: continue` as it was built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from dbt.adapters.trickle.history.delta_files import DeltaLog, StampedCommit
from dbt.adapters.trickle.history.delta_files.metadata import Metadata
from dbt.adapters.trickle.history.delta_files.snapshot import metadata_at
from dbt.adapters.trickle.options import StreamTableConfig
from dbt.adapters.trickle.options.on_configuration_change import ON_CONFIGURATION_CHANGE
from dbt.adapters.trickle.storages.constraints import CheckConstraint, checks_of, constraints_fingerprint
from dbt.adapters.trickle.storages.table_properties import (
    CONSTRAINT,
    CONSTRAINTS,
    QUERY,
    RETIRED,
    TableProperties,
    built_properties,
    configured_properties,
    table_change,
)
from trickle import FloatSums, Options, Reason, RefreshMode
from trickle.lower.sources.pin import same_query
from trickle.reasons import reason


class BuiltModel(Protocol):
    """The storage's own record of the model."""

    @property
    def log(self) -> DeltaLog: ...

    @property
    def stamped(self) -> StampedCommit | None: ...

    @property
    def definition(self) -> Metadata | None: ...

    @property
    def properties(self) -> Mapping[str, str]: ...


@dataclass(frozen=True)
class EffectiveModel:
    """Everything of a model that decides what is stored."""

    sql: str
    options: Options
    layout: TableProperties
    checks: tuple[CheckConstraint, ...]
    constraints: str
    """Fingerprint of the checks."""
    not_applied: Reason | None = None
    """What was changed in the model and is left out."""

    @property
    def notes(self) -> tuple[Reason, ...]:
        return () if self.not_applied is None else (self.not_applied,)


def configured(sql: str, config: StreamTableConfig, model: Mapping[str, Any], storage: str) -> EffectiveModel:
    checks = checks_of(model)
    return EffectiveModel(
        sql, config.engine, configured_properties(config, storage), checks, constraints_fingerprint(checks)
    )


def effective_model(
    written: EffectiveModel, config: StreamTableConfig, state: BuiltModel, full_refresh: bool = False
) -> EffectiveModel:
    """The model as it is to be refreshed: as written, unless there is a change of it that is to be left out."""
    if config[ON_CONFIGURATION_CHANGE] != "continue" or full_refresh:
        return written
    if state.stamped is None or state.definition is None or RETIRED in state.properties:
        return written
    return as_built(written, state.log)


def as_built(written: EffectiveModel, log: DeltaLog) -> EffectiveModel:
    """The model that the storage was built by, when the written one differs from it."""
    properties = metadata_at(log, log.latest).properties
    query = properties.get(QUERY)
    changes = _changes(written, log, properties)
    if query is None or not changes:
        return written
    layout = built_properties(log)
    threshold = layout.settings["trickle.full_refresh_threshold"]
    options = replace(
        written.options,
        refresh_mode=RefreshMode(layout.settings["trickle.refresh_mode"]),
        float_sums=FloatSums(layout.settings["trickle.float_sums"]),
        full_refresh_threshold=None if threshold == "auto" else float(threshold),
    )
    checks = tuple(
        CheckConstraint(name.removeprefix(CONSTRAINT), expression)
        for name, expression in sorted(properties.items())
        if name.startswith(CONSTRAINT)
    )
    layout = replace(layout, location=written.layout.location)
    why = reason("change_not_applied", detail=" ".join(changes))
    return EffectiveModel(query, options, layout, checks, properties.get(CONSTRAINTS, ""), why)


def _changes(written: EffectiveModel, log: DeltaLog, properties: Mapping[str, str]) -> list[str]:
    """What differs, one sentence each."""
    sentences = []
    if not same_query(properties.get(QUERY, ""), written.sql):
        sentences.append("The SELECT changed since the last refresh.")
    change = table_change(written.layout, log)
    sentences += [text for text in (f"{change.rebuild}." if change.rebuild else "", change.alters) if text]
    if written.constraints != properties.get(CONSTRAINTS, ""):
        sentences.append("The contract's constraints changed since the last refresh.")
    return sentences
