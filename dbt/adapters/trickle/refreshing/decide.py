"""From a compiled model to a decision: read the state, ask the engine, check what the user insisted on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from dbt_common.exceptions import CompilationError, DbtDatabaseError

from dbt.adapters.trickle.catalog.source_catalog import SourceCatalog, stored_columns
from dbt.adapters.trickle.history.delta_files import DeltaLog
from dbt.adapters.trickle.history.delta_files.probe import size_for_prices
from dbt.adapters.trickle.history.delta_files.snapshot import UNKNOWN_SIZE
from dbt.adapters.trickle.history.delta_files.whole_files import whole_files
from dbt.adapters.trickle.options import StreamTableConfig, read_config
from dbt.adapters.trickle.options.location_root import LOCATION_ROOT
from dbt.adapters.trickle.ports import Capabilities
from dbt.adapters.trickle.project.nodes import Node
from dbt.adapters.trickle.refreshing.arranging import OVER, Below, Keep, arrangement_of, positions_below, without
from dbt.adapters.trickle.refreshing.damage import Damage
from dbt.adapters.trickle.refreshing.decision import Decision
from dbt.adapters.trickle.refreshing.definitions import table_definition, view_definition
from dbt.adapters.trickle.refreshing.effective_model import EffectiveModel, configured, effective_model
from dbt.adapters.trickle.refreshing.objections import insist
from dbt.adapters.trickle.relation import TrickleRelation
from dbt.adapters.trickle.scheduling.memory import FILE, TICK, checksum
from dbt.adapters.trickle.storages.arrangements import arrangements_in
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
from dbt.adapters.trickle.versions.plan_cache import NO_PLANS, PlanCache
from dbt.adapters.trickle.versions.unmaintained_inputs import notes_on_nodes
from trickle import (
    Column,
    CompiledView,
    Name,
    Probe,
    Reason,
    Request,
    Stamp,
    Target,
    plan_refresh,
)
from trickle.catalog.contract import contract_change
from trickle.catalog.happened import Appended, Changed
from trickle.planning.learned_prices import learned
from trickle.planning.refresh import Situation, facade_select, select_at_version
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
    capabilities: Capabilities = field(default_factory=Capabilities)
    """Of the session that will run the plan."""
    plans: PlanCache = NO_PLANS
    """What earlier runs have compiled."""
    table_in_view_place: bool = False
    """Whether dbt saw a table of the model's name."""
    damage: Damage | None = None
    """What has been found wrong with the storage since its log was read: by the catalog, or by a statement."""
    keep: Keep | None = None
    """How arrangements are refreshed, before anything else of the model is planned; None: there are none."""

    @property
    def node(self) -> str:
        return str(self.model["unique_id"])


def decide(given: RefreshInput, catalog: SourceCatalog, storage_log: DeltaLog, analyst: Analyst) -> Decision:
    """Everything up to the model's first statement; nothing of the model's is written here."""
    config = read_config(given.model["config"])
    state = read_state(storage_log, given.full_refresh)
    distrust = given.damage.reason if given.damage else _displaced(given, config, state, catalog)
    if distrust is not None:
        state = replace(state, distrust=distrust)
    previous = state.stamp
    model = configured(given.sql, config, given.model, str(given.storage.identifier))
    model = effective_model(model, config, state, given.full_refresh or given.storage_elsewhere)
    view, reading, arrangements = _compiled(given, model, state, catalog, analyst, config)
    refuse_unknown_columns(config, model.checks, view.columns.names)
    constraints = model.constraints
    change = table_change(model.layout, storage_log) if previous else TableChange()
    rebuild = state.distrust or _relaid(change) or _reconstrained(previous, constraints, state.properties)
    probes = _probes(view, previous, catalog, given.capabilities.reads_files)
    target = _target(given, state)
    facade = facade_of(facade_select(view, target), view.shown, given.model)
    in_place, replaced = _shown(given, state, facade, catalog)
    log_damaged = state.unreadable or (given.damage is not None and given.damage.of_log)
    replaceable = not (given.storage_elsewhere or log_damaged)
    pinned = _pinned_facade(given, state, target)
    target = replace(
        target,
        table=table_definition(given.storage, model, change, facade, state.properties, replaceable),
        view=view_definition(given.storage, facade, in_place, given.table_in_view_place, pinned),
    )
    notes = (*notes_on_nodes(given.node, reading, given.nodes, given.run_instant, catalog), *replaced)
    request = _request(given, state, view, model, reading, probes, rebuild, notes, arrangements.below)
    plan = plan_refresh(view, target, previous, probes, request)
    insist(config, plan, _changes(previous, view, change, constraints, state.properties), probes)
    return Decision(
        relation=given.relation,
        storage=given.storage,
        log=storage_log,
        situation=Situation(view, target, previous, probes, request),
        plan=plan,
        reading=reading,
        invocation=given.invocation,
        query=model.sql,
        facade=facade,
        log_damaged=log_damaged,
        unenforced=unenforced(given.model),
        not_applied=model.not_applied,
        restored=given.restored,
        rows_before=_size(storage_log).rows if storage_log.exists else 0,
        former_arrangements=arrangements.former,
    )


@dataclass(frozen=True)
class Arrangements:
    """What a refresh reads through arrangements, and the arrangements that it does not read any more."""

    below: Below = field(default_factory=Below)
    former: tuple[Name, ...] = ()


def _compiled(
    given: RefreshInput,
    model: EffectiveModel,
    state: State,
    catalog: SourceCatalog,
    analyst: Analyst,
    config: StreamTableConfig,
) -> tuple[CompiledView, VersionChoice, Arrangements]:
    """The view, the versions at which it reads its sources, and its arrangements, which are refreshed here."""
    previous, (schema, storage) = state.stamp, _name(given.storage)
    # Other settings may give the same text another meaning: Spark is asked again whether it is read as Spark does.
    known = previous if previous and contract_change(previous, given.contract) is None else None

    def compiled(sql: str, text: str = "") -> tuple[CompiledView, VersionChoice]:
        table = schema, f"{storage}{text}"
        return compile_at_chosen_versions(
            table, sql, model.options, known, state.last_stamp, catalog, analyst, given.plans
        )

    view, reading = compiled(model.sql)
    if given.keep is None:
        return view, reading, Arrangements()
    over = arrangement_of(_name(given.relation), config, state, view, catalog, given.full_refresh)
    read = arrangements_in(state.last_stamp, _name(given.relation))
    if over is None:
        return view, reading, Arrangements(former=tuple(read))
    try:
        below = given.keep(over)
        above, chosen = compiled(over.query, OVER)
    except (CompilationError, DbtDatabaseError) as failure:
        if read:
            # It could be stored until now: what is wrong may pass, and the model would be built anew without it.
            raise
        return view, reading, Arrangements(Below(notes=(without(over, str(failure)),)))
    if above.columns != view.columns:
        difference = f"its columns would be {above.columns}, not {view.columns}"
        return view, reading, Arrangements(Below(notes=(without(over, difference),)), tuple(read))
    needed = [own.name for own in over.arrangements]
    return above, chosen, Arrangements(below, tuple(name for name in read if name not in needed))


def _request(
    given: RefreshInput,
    state: State,
    view: CompiledView,
    model: EffectiveModel,
    reading: VersionChoice,
    probes: Mapping[str, Probe],
    rebuild: Reason | None,
    notes: Sequence[Reason],
    below: Below,
) -> Request:
    """Everything that goes into the plan and its stamp: nothing is added to either afterwards."""
    return Request(
        node=given.node,
        now=given.run_instant,
        contract=given.contract,
        full_refresh=given.full_refresh,
        rebuild=rebuild,
        storage_id=state.storage_id,
        data_timestamp=reading.data_timestamp,
        number=_number(given, state),
        marks={
            **stamp_fields(view, model.options, probes),
            **reading.marks,
            **_attempt(given, state, below),
            **positions_below(below.positions),
        },
        waiting=reading.waiting,
        notes=(*reading.notes, *model.notes, *notes, *below.notes, *given.restored),
        learned=_learned(state),
        stages=given.capabilities.temporary_parts,
    )


def _learned(state: State) -> Mapping[str, float]:
    """What the last refresh, and those before it, have taught about prices."""
    last = state.stamped
    began = last.stamp.extra.get(BEGAN) if last is not None else None
    if last is None or not isinstance(began, int):
        return {}
    return learned(last.stamp, (last.commit.committed_at - began) / 1000)


def _probes(view: CompiledView, previous: Stamp | None, catalog: SourceCatalog, by_files: bool) -> Mapping[str, Probe]:
    """What happened to every source, up to the version at which it is read."""
    probes = {
        source.name: catalog.probe(
            source, previous.frontier.position(source.name) if previous else None, view.reads_of(source.name)
        )
        for source in view.sources
    }
    if view.incremental and any(isinstance(seen.happened, (Appended, Changed)) for seen in probes.values()):
        probes = {source.name: catalog.with_spread(probes[source.name], source.physical) for source in view.sources}
        if by_files:
            return {source.name: catalog.with_files(probes[source.name], source.physical) for source in view.sources}
    return probes


def _displaced(given: RefreshInput, config: StreamTableConfig, state: State, catalog: SourceCatalog) -> Reason | None:
    """Why a log that is there is not the storage's, if so."""
    if not state.log.exists:
        return None
    if given.storage_elsewhere:
        return Reason("storage_moved", "`location_root` changed since the last refresh.")
    if state.unreadable:
        # It is dropped and its folder cleared, known or not.
        return None
    # Dropping a table that has a location leaves its files; any other table's go with it.
    doubtful = FACADE not in state.properties or config[LOCATION_ROOT] is not None
    return UNREGISTERED if doubtful and not catalog.knows(_name(given.storage)) else None


def _shown(
    given: RefreshInput, state: State, facade: Facade, catalog: SourceCatalog
) -> tuple[bool, tuple[Reason, ...]]:
    """Whether the view is in place and as it must be, and the note that somebody has replaced it."""
    marker = state.properties.get(FACADE)
    if marker is None or RETIRED in state.properties:
        return False, ()
    entry = catalog.entry(_name(given.relation))
    if marker == facade.fingerprint:
        deviation = difference(entry, _name(given.storage), facade)
    else:
        deviation = fault(entry, _name(given.storage))
    if deviation:
        name = ".".join(_name(given.relation))
        return False, (
            Reason("facade_replaced", f"{name} was not the view that was put there: {deviation}. It is again."),
        )
    as_configured = given.facade_exists and marker == facade.fingerprint
    return as_configured and entry is not None and not is_unmarked(entry), ()


def _pinned_facade(given: RefreshInput, state: State, target: Target) -> str:
    """The view's SELECT at the storage's present version; '' where there is no view of ours."""
    if not given.facade_exists or FACADE not in state.properties or RETIRED in state.properties:
        return ""
    stored = [column.name for column in stored_columns(state.log) or ()]
    return select_at_version(target, stored, state.log.latest)


def _size(log: DeltaLog) -> Any:
    return size_for_prices(log) if log.exists else UNKNOWN_SIZE


def _target(given: RefreshInput, state: State) -> Target:
    size = _size(state.log)
    known = state.definition
    by_files = given.capabilities.reads_files
    return Target(
        facade=_name(given.relation),
        storage=_name(given.storage),
        rows=size.rows or 0,
        bytes=size.bytes,
        files=size.files,
        exists=state.log.exists,
        paths=whole_files(state.log, state.log.latest, known) if known is not None and by_files else (),
        columns=tuple(Column(own.name, own.type) for own in known.columns) if known is not None else (),
    )


def _relaid(change: TableChange) -> Reason | None:
    return Reason("layout_changed", f"{change.rebuild}.") if change.rebuild else None


def _reconstrained(previous: Stamp | None, constraints: str, properties: Mapping[str, str]) -> Reason | None:
    if previous is None or constraints == properties.get(CONSTRAINTS, ""):
        return None
    return Reason("constraints_changed", "The contract's constraints changed since the last refresh.")


def _attempt(given: RefreshInput, state: State, below: Below) -> dict[str, object]:
    """What tells this attempt at a refresh from any other."""
    return {
        INVOCATION: given.invocation,
        PLANNED_ON: state.log.latest if state.log.exists else -1,
        BEGAN: given.began if below.ended is None else below.ended,
        TICK: given.run_instant,
        FILE: checksum(given.model),
    }


def _number(given: RefreshInput, state: State) -> int:
    """A number for the refresh that Delta has not seen from this model."""
    if state.stamped is not None:
        return state.stamped.stamp.refresh + 1
    return given.run_instant if state.log.exists else 1


def _changes(
    previous: Stamp | None, view: CompiledView, change: TableChange, constraints: str, properties: Mapping[str, str]
) -> list[str]:
    """Everything of the model that is not as it was at the last refresh, a sentence each."""
    if previous is None:
        return []
    reasons = [definition_change(previous, view), _relaid(change), _reconstrained(previous, constraints, properties)]
    return [why.sentence() for why in reasons if why is not None] + ([change.alters] if change.alters else [])


def _name(relation: TrickleRelation) -> tuple[str, str]:
    return str(relation.schema).lower(), str(relation.identifier).lower()
