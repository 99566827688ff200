"""From a compiled model to a decision: read the state, ask the engine, check what the user insisted on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from dbt_common.exceptions import CompilationError, DbtRuntimeError

from dbt.adapters.trickle.catalog.source_catalog import SourceCatalog, stored_columns
from dbt.adapters.trickle.history.delta_files import DeltaLog
from dbt.adapters.trickle.history.delta_files.probe import size_for_prices
from dbt.adapters.trickle.history.delta_files.snapshot import UNKNOWN_SIZE
from dbt.adapters.trickle.history.delta_files.whole_files import whole_files
from dbt.adapters.trickle.options import StreamTableConfig, read_config
from dbt.adapters.trickle.options.change_source import CHANGE_SOURCE
from dbt.adapters.trickle.options.location_root import LOCATION_ROOT
from dbt.adapters.trickle.options.on_configuration_change import ON_CONFIGURATION_CHANGE
from dbt.adapters.trickle.options.on_source_ddl import ON_SOURCE_DDL
from dbt.adapters.trickle.project.nodes import Node
from dbt.adapters.trickle.refreshing.damage import Damage
from dbt.adapters.trickle.refreshing.decision import Decision
from dbt.adapters.trickle.refreshing.definitions import table_definition, view_definition
from dbt.adapters.trickle.refreshing.effective_model import EffectiveModel, configured, effective_model
from dbt.adapters.trickle.relation import TrickleRelation
from dbt.adapters.trickle.scheduling.memory import FILE, TICK, checksum
from dbt.adapters.trickle.storages.constraints import unenforced
from dbt.adapters.trickle.storages.facade import Facade, facade_of
from dbt.adapters.trickle.storages.facade_state import difference, fault, is_unmarked
from dbt.adapters.trickle.storages.stamp_fields import BEGAN, stamp_fields
from dbt.adapters.trickle.storages.storage_state import PLANNED_ON, State, read_state
from dbt.adapters.trickle.storages.table_properties import (
    CONSTRAINTS,
    FACADE,
    RETIRED,
    TableChange,
    refuse_unknown_columns,
    table_change,
)
from dbt.adapters.trickle.versions.choice import Analyst, VersionChoice
from dbt.adapters.trickle.versions.compiled import compile_at_chosen_versions
from dbt.adapters.trickle.versions.kept_plans import NO_PLANS, KeptPlans
from dbt.adapters.trickle.versions.unmaintained_inputs import notes_on_nodes
from trickle import CompiledView, Happened, Probe, Reason, RefreshPlan, Request, Schema, Stamp, Target, plan_refresh
from trickle.catalog.contract import contract_change
from trickle.planning.refresh import Situation, facade_select
from trickle.planning.verdict import definition_change

INVOCATION = "invocation"

UNREGISTERED = Reason(
    "storage_unregistered", "The storage has files that Spark's catalog does not know: an earlier run was cut off."
)


@dataclass(frozen=True)
class RefreshInput:
    """What dbt asks for: a model, where it goes, and how it is to be run."""

    model: Mapping[str, Any]
    relation: TrickleRelation
    storage: TrickleRelation
    sql: str
    full_refresh: bool
    run_instant: int
    """Start of the run in epoch milliseconds."""
    invocation: str
    began: int
    """When this refresh began, in epoch milliseconds."""
    contract: Mapping[str, str]
    facade_exists: bool
    """Whether dbt saw a view of the model's name; only ever used to put one back."""
    nodes: Mapping[str, Node] = field(default_factory=dict)
    """The project's nodes by id."""
    restored: tuple[Reason, ...] = ()
    """What had been set on the connection and was put back before anything was planned."""
    storage_elsewhere: bool = False
    """Whether the storage lies in another folder so far than the one it is to be in."""
    plans: KeptPlans = NO_PLANS
    """What earlier runs have compiled."""
    table_in_view_place: bool = False
    """Whether dbt saw a table of the model's name."""
    damage: Damage | None = None
    """What has been found wrong with the storage since its log was read: by the catalog, or by a statement."""

    @property
    def node(self) -> str:
        return str(self.model["unique_id"])


def decide(asked: RefreshInput, warehouse: SourceCatalog, storage_log: DeltaLog, analyst: Analyst) -> Decision:
    """Everything up to the first statement; nothing is written here."""
    config = read_config(asked.model["config"])
    state = read_state(storage_log, asked.full_refresh)
    distrust = asked.damage.reason if asked.damage else _displaced(asked, config, state, warehouse)
    if distrust is not None:
        state = replace(state, distrust=distrust)
    previous = state.stamp
    model = configured(asked.sql, config, asked.model, str(asked.storage.identifier))
    model = effective_model(model, config, state, asked.full_refresh or asked.storage_elsewhere)
    view, reading = _compiled(asked, model, state, warehouse, analyst)
    refuse_unknown_columns(config, model.checks, view.columns.names)
    constraints = model.constraints
    change = table_change(model.layout, storage_log) if previous else TableChange()
    rebuild = state.distrust or _relaid(change) or _reconstrained(previous, constraints, state.properties)
    probes = _probes(view, previous, warehouse)
    target = _target(asked, state)
    facade = facade_of(facade_select(view, target), view.shown, asked.model)
    in_place, replaced = _shown(asked, state, facade, warehouse)
    log_damaged = state.unreadable or (asked.damage is not None and asked.damage.of_log)
    replaceable = not (asked.storage_elsewhere or log_damaged)
    pinned = _pinned_facade(view, asked, state, target)
    target = replace(
        target,
        table=table_definition(asked.storage, model, change, facade, state.properties, replaceable),
        view=view_definition(asked.storage, facade, in_place, asked.table_in_view_place, pinned),
    )
    notes = (*notes_on_nodes(asked.node, reading, asked.nodes, asked.run_instant, warehouse), *replaced)
    request = _request(asked, state, view, model, reading, probes, rebuild, notes)
    plan = plan_refresh(view, target, previous, probes, request)
    _insist(config, plan, _changes(previous, view, change, constraints, state.properties), probes)
    return Decision(
        relation=asked.relation,
        storage=asked.storage,
        log=storage_log,
        situation=Situation(view, target, previous, probes, request),
        plan=plan,
        reading=reading,
        invocation=asked.invocation,
        query=model.sql,
        facade=facade,
        log_damaged=log_damaged,
        unenforced=unenforced(asked.model),
        not_applied=model.not_applied,
        restored=asked.restored,
        rows_before=_size(storage_log).rows if storage_log.exists else 0,
    )


def _compiled(
    asked: RefreshInput, model: EffectiveModel, state: State, warehouse: SourceCatalog, analyst: Analyst
) -> tuple[CompiledView, VersionChoice]:
    """The view, and the versions at which it reads its sources."""
    previous, table = state.stamp, _name(asked.storage)
    # Other settings may give the same text another meaning: Spark is asked again whether it is read as Spark does.
    known = previous if previous and contract_change(previous, asked.contract) is None else None
    return compile_at_chosen_versions(
        table, model.sql, model.options, known, state.last_stamp, warehouse, analyst, asked.plans
    )


def _request(
    asked: RefreshInput,
    state: State,
    view: CompiledView,
    model: EffectiveModel,
    reading: VersionChoice,
    probes: Mapping[str, Probe],
    rebuild: Reason | None,
    notes: Sequence[Reason],
) -> Request:
    """All that the plan and its stamp are to hold: nothing is added to either afterwards."""
    return Request(
        node=asked.node,
        now=asked.run_instant,
        contract=asked.contract,
        full_refresh=asked.full_refresh,
        rebuild=rebuild,
        storage_id=state.storage_id,
        data_timestamp=reading.data_timestamp,
        number=_number(asked, state),
        marks={**stamp_fields(view, model.options, probes), **reading.marks, **_attempt(asked, state)},
        waiting=reading.held_back,
        notes=(*reading.notes, *model.notes, *notes, *asked.restored),
    )


def _probes(view: CompiledView, previous: Stamp | None, warehouse: SourceCatalog) -> Mapping[str, Probe]:
    """What happened to every source, up to the version at which it is read."""
    probes = {
        source.name: warehouse.probe(
            source, previous.frontier.position(source.name) if previous else None, view.reads_of(source.name)
        )
        for source in view.sources
    }
    if view.incremental and any(seen.happened in (Happened.APPENDED, Happened.CHANGED) for seen in probes.values()):
        return {one.name: warehouse.with_spread(probes[one.name], one.physical) for one in view.sources}
    return probes


def _displaced(asked: RefreshInput, config: StreamTableConfig, state: State, warehouse: SourceCatalog) -> Reason | None:
    """Why a log that is there is not the storage's, if so."""
    if not state.log.exists:
        return None
    if asked.storage_elsewhere:
        return Reason("storage_moved", "`location_root` changed since the last refresh.")
    if state.unreadable:
        # It is dropped and its folder cleared, known or not.
        return None
    # Dropping a table that has a location leaves its files; any other table's go with it.
    doubtful = FACADE not in state.properties or config[LOCATION_ROOT] is not None
    return UNREGISTERED if doubtful and not warehouse.knows(_name(asked.storage)) else None


def _shown(
    asked: RefreshInput, state: State, facade: Facade, warehouse: SourceCatalog
) -> tuple[bool, tuple[Reason, ...]]:
    """Whether the view stands as it is to be, and the note that somebody has put something else in its place."""
    marker = state.properties.get(FACADE)
    if marker is None or RETIRED in state.properties:
        return False, ()
    entry = warehouse.entry(_name(asked.relation))
    if marker == facade.fingerprint:
        found = difference(entry, _name(asked.storage), facade)
    else:
        found = fault(entry, _name(asked.storage))
    if found:
        name = ".".join(_name(asked.relation))
        return False, (Reason("facade_replaced", f"{name} was not the view that was put there: {found}. It is again."),)
    as_it_is_to_be = asked.facade_exists and marker == facade.fingerprint
    return as_it_is_to_be and entry is not None and not is_unmarked(entry), ()


def _pinned_facade(view: CompiledView, asked: RefreshInput, state: State, target: Target) -> str:
    """The view as it shows the storage now, kept at this version; '' where no view of ours stands."""
    if not asked.facade_exists or FACADE not in state.properties or RETIRED in state.properties:
        return ""
    shown = replace(view, columns=Schema(stored_columns(state.log) or ()))
    return facade_select(shown, target, state.log.latest)


def _size(log: DeltaLog) -> Any:
    return size_for_prices(log) if log.exists else UNKNOWN_SIZE


def _target(asked: RefreshInput, state: State) -> Target:
    size = _size(state.log)
    known = state.definition
    return Target(
        facade=_name(asked.relation),
        storage=_name(asked.storage),
        rows=size.rows or 0,
        bytes=size.bytes,
        files=size.files,
        exists=state.log.exists,
        paths=whole_files(state.log, state.log.latest, known) if known is not None else (),
        columns=tuple(one.name for one in known.columns) if known is not None else (),
    )


def _relaid(change: TableChange) -> Reason | None:
    return Reason("layout_changed", f"{change.rebuild}.") if change.rebuild else None


def _reconstrained(previous: Stamp | None, constraints: str, properties: Mapping[str, str]) -> Reason | None:
    if previous is None or constraints == properties.get(CONSTRAINTS, ""):
        return None
    return Reason("constraints_changed", "The contract's constraints changed since the last refresh.")


def _attempt(asked: RefreshInput, state: State) -> dict[str, object]:
    """What tells this attempt at a refresh from any other."""
    return {
        INVOCATION: asked.invocation,
        PLANNED_ON: state.log.latest if state.log.exists else -1,
        BEGAN: asked.began,
        TICK: asked.run_instant,
        FILE: checksum(asked.model),
    }


def _number(asked: RefreshInput, state: State) -> int:
    """A number for the refresh that Delta has not seen from this model."""
    if state.stamped is not None:
        return state.stamped.stamp.refresh + 1
    return asked.run_instant if state.log.exists else 1


def _changes(
    previous: Stamp | None, view: CompiledView, change: TableChange, constraints: str, properties: Mapping[str, str]
) -> list[str]:
    """Everything of the model that is not as it was at the last refresh, a sentence each."""
    if previous is None:
        return []
    found = [definition_change(previous, view), _relaid(change), _reconstrained(previous, constraints, properties)]
    return [one.sentence() for one in found if one is not None] + ([change.alters] if change.alters else [])


def _insist(config: StreamTableConfig, plan: RefreshPlan, changes: Sequence[str], probes: Mapping[str, Probe]) -> None:
    """What the user would rather have fail than be done; everything that is wrong is said at once."""
    if config[ON_CONFIGURATION_CHANGE] == "fail" and plan.reason.code != "full_refresh" and changes:
        raise CompilationError(
            f"{' '.join(changes)} `on_configuration_change: fail` forbids to apply it: "
            "take the change back, or run with --full-refresh."
        )
    stamp_fields = [one for source, seen in probes.items() for one in _objections(config, source, seen)]
    if stamp_fields:
        raise DbtRuntimeError(" ".join(stamp_fields))


def _objections(config: StreamTableConfig, source: str, seen: Probe) -> Iterator[str]:
    if config[ON_SOURCE_DDL] == "fail" and (seen.altered or seen.happened is Happened.RECREATED):
        yield f"{source}: {seen.detail}, and `on_source_ddl: fail` forbids to start anew; run with --full-refresh."
    else:
        yield from _objections_to_kind(source, config[CHANGE_SOURCE].kind(source), seen)


def _objections_to_kind(source: str, kind: str, seen: Probe) -> Iterator[str]:
    quiet = (Happened.NOTHING, Happened.MAINTENANCE)
    if seen.before is None or seen.happened in quiet:
        return
    if kind == "append" and seen.happened is not Happened.APPENDED:
        yield (
            f"{source} was not only appended to ({seen.detail}), which `change_source: append` demands; "
            "say `auto`, or run with --full-refresh."
        )
    if kind == "feed" and not seen.feed:
        yield (
            f"{source} has no change feed over the whole range ({seen.detail}), which `change_source: feed` demands; "
            "set delta.enableChangeDataFeed on it, and run with --full-refresh once."
        )


def _name(relation: TrickleRelation) -> tuple[str, str]:
    return str(relation.schema).lower(), str(relation.identifier).lower()
