"""How a model's storage and view are defined, as the plan needs to know it."""

from __future__ import annotations

from collections.abc import Mapping

from dbt.adapters.trickle.refreshing.effective_model import EffectiveModel
from dbt.adapters.trickle.relation import TrickleRelation
from dbt.adapters.trickle.storages.facade import Facade
from dbt.adapters.trickle.storages.facade_state import PINNED, STORAGE, TEXT
from dbt.adapters.trickle.storages.table_properties import CONSTRAINTS, FACADE, QUERY, STORAGE_OF, TableChange
from trickle.apply.definitions import Condition, TableDefinition, ViewDefinition


def table_definition(
    storage: TrickleRelation,
    model: EffectiveModel,
    change: TableChange,
    facade: Facade,
    present: Mapping[str, str],
    replaceable: bool,
) -> TableDefinition:
    """`present` are the storage's properties as they are."""
    owner = {STORAGE_OF: f"{storage.schema}.{storage.identifier}".lower()}
    markers = {FACADE: facade.fingerprint, **owner}
    if model.constraints:
        markers[CONSTRAINTS] = model.constraints
    checks = model.checks if model.constraints else ()
    return TableDefinition(
        properties={**model.layout.create_properties, QUERY: model.sql, **owner},
        partition_by=model.layout.partition_by,
        cluster_by=model.layout.cluster_by,
        location=model.layout.location,
        constraints=tuple(Condition(check.name, check.expression) for check in checks),
        altered_properties=change.properties,
        altered_clustering=change.cluster_by,
        markers=markers,
        present=present,
        replaceable=replaceable and change.replaceable,
    )


def view_definition(
    storage: TrickleRelation, facade: Facade, in_place: bool, table_in_its_place: bool, pinned: str
) -> ViewDefinition:
    """`pinned`: the SELECT of the rows it shows now, at the storage's present version."""
    shown = str(storage.render())
    return ViewDefinition(
        columns=facade.columns,
        comment=facade.comment,
        properties={STORAGE: shown, TEXT: facade.text_fingerprint},
        in_place=in_place,
        table_in_its_place=table_in_its_place,
        pinned=pinned,
        pinned_properties={STORAGE: shown, TEXT: PINNED},
    )
