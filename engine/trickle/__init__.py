"""The engine of dbt-trickle: pure Python, SQL in, plan out. Everything public is named here."""

from __future__ import annotations

from trickle.apply.definitions import Condition, TableDefinition, ViewColumn, ViewDefinition
from trickle.apply.price import Rates
from trickle.apply.refresh_plan import Action, RefreshPlan
from trickle.apply.step_sql import step_sql
from trickle.apply.steps import (
    Cluster,
    Constrain,
    Create,
    Drop,
    Kind,
    PinView,
    PutView,
    SetProperties,
    Stage,
    Step,
    Write,
)
from trickle.apply.target import Target
from trickle.catalog.changed_rows import AddedFiles, ChangedRows, Changes, FeedRange, NamedFiles
from trickle.catalog.contract import contract_change
from trickle.catalog.facts import Facts, Questions
from trickle.catalog.frontier import FIRST_ENGINE, MESSAGE, Frontier, SourcePosition, Stamp, parse_stamp
from trickle.catalog.happened import (
    Altered,
    Appended,
    Changed,
    FeedMissing,
    First,
    Happened,
    HistoryLost,
    MaintenanceOnly,
    NotVersioned,
    Overwritten,
    Recreated,
    Unchanged,
)
from trickle.catalog.probe import Probe, TableSize, Volume
from trickle.catalog.read_columns import EVERY_COLUMN, ReadColumns
from trickle.catalog.routines import Routine
from trickle.catalog.tables import Name, Relation, Source, StreamTable, Table, View
from trickle.errors import (
    InternalError,
    InvalidView,
    Position,
    Reason,
    StateError,
    TrickleError,
    Unreadable,
    Unsupported,
)
from trickle.graph.agreement import EraVersion, Span, Vector, VersionOption
from trickle.graph.choice import Choice, PreviousPosition, choose
from trickle.graph.circle import find_circle
from trickle.graph.demand import Graph, Vertex
from trickle.graph.version_options import PastRefresh, VersionOptions
from trickle.lower.sources.pin import pin, referenced, same_query
from trickle.lower.sources.pinned import PinnedQuery
from trickle.lower.sources.routines import user_calls
from trickle.options import FloatSums, Options, RefreshMode
from trickle.plan.names import shown_name, stored_name
from trickle.plan.ranges import ColumnStatistics, FileStatistics, Ranges
from trickle.plan.schema import Column, Schema
from trickle.planning.compile import CompiledView, compile_view, output_schema, refuted, texts_to_confirm
from trickle.planning.exact_check import exact_check
from trickle.planning.explain import Explanation, explain
from trickle.planning.fallback import STACK_OVERFLOW, TOO_MANY_ITERATIONS, USER_RAISED, Failure
from trickle.planning.instants import AsOf, as_of
from trickle.planning.refresh import Request, Situation, facade_select, pinned_query, plan_instead, plan_refresh
from trickle.planning.state_check import state_check
from trickle.planning.verdict import definition_change
from trickle.reasons import HIDDEN_INPUT_REASONS, reason
from trickle.schedule.clock_text import iso_instant, show_instant
from trickle.schedule.due import Due, slot_taken
from trickle.schedule.duration import show_duration
from trickle.schedule.every import Every
from trickle.schedule.parse import parse_schedule
from trickle.schedule.sentences import schedule_sentence
from trickle.schedule.slots import CombinedSchedule, ConfiguredSchedule, Cron, EveryRun, OnUpdate, Schedule
from trickle.schedule.target_lag import TargetLag
from trickle.schedule.ticks import MissedTarget, ScheduledTable, ticks
from trickle.sql.references import is_path, lowered
from trickle.sql.stack_size import raise_recursion_limit

__all__ = [
    "EVERY_COLUMN",
    "FIRST_ENGINE",
    "HIDDEN_INPUT_REASONS",
    "MESSAGE",
    "STACK_OVERFLOW",
    "TOO_MANY_ITERATIONS",
    "USER_RAISED",
    "Action",
    "AddedFiles",
    "Altered",
    "Appended",
    "AsOf",
    "Changed",
    "ChangedRows",
    "Changes",
    "Choice",
    "Cluster",
    "Column",
    "ColumnStatistics",
    "CombinedSchedule",
    "CompiledView",
    "Condition",
    "ConfiguredSchedule",
    "Constrain",
    "Create",
    "Cron",
    "Drop",
    "Due",
    "EraVersion",
    "Every",
    "EveryRun",
    "Explanation",
    "Facts",
    "Failure",
    "FeedMissing",
    "FeedRange",
    "FileStatistics",
    "First",
    "FloatSums",
    "Frontier",
    "Graph",
    "Happened",
    "HistoryLost",
    "InternalError",
    "InvalidView",
    "Kind",
    "MaintenanceOnly",
    "MissedTarget",
    "Name",
    "NamedFiles",
    "NotVersioned",
    "OnUpdate",
    "Options",
    "Overwritten",
    "PastRefresh",
    "PinView",
    "PinnedQuery",
    "Position",
    "PreviousPosition",
    "Probe",
    "PutView",
    "Questions",
    "Ranges",
    "Rates",
    "ReadColumns",
    "Reason",
    "Recreated",
    "RefreshMode",
    "RefreshPlan",
    "Relation",
    "Request",
    "Routine",
    "Schedule",
    "ScheduledTable",
    "Schema",
    "SetProperties",
    "Situation",
    "Source",
    "SourcePosition",
    "Span",
    "Stage",
    "Stamp",
    "StateError",
    "Step",
    "StreamTable",
    "Table",
    "TableDefinition",
    "TableSize",
    "Target",
    "TargetLag",
    "TrickleError",
    "Unchanged",
    "Unreadable",
    "Unsupported",
    "Vector",
    "VersionOption",
    "VersionOptions",
    "Vertex",
    "View",
    "ViewColumn",
    "ViewDefinition",
    "Volume",
    "Write",
    "as_of",
    "choose",
    "compile_view",
    "contract_change",
    "definition_change",
    "exact_check",
    "explain",
    "facade_select",
    "find_circle",
    "is_path",
    "iso_instant",
    "lowered",
    "output_schema",
    "parse_schedule",
    "parse_stamp",
    "pin",
    "pinned_query",
    "plan_instead",
    "plan_refresh",
    "raise_recursion_limit",
    "reason",
    "referenced",
    "refuted",
    "same_query",
    "schedule_sentence",
    "show_duration",
    "show_instant",
    "shown_name",
    "slot_taken",
    "state_check",
    "step_sql",
    "stored_name",
    "texts_to_confirm",
    "ticks",
    "user_calls",
]
