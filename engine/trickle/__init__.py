"""The engine of dbt-trickle: SQL and plain values in, a refresh plan out. docs/engine.md explains each name."""

from __future__ import annotations

from trickle.apply.refresh_plan import Action, RefreshPlan
from trickle.apply.step_sql import step_sql
from trickle.apply.steps import Step
from trickle.apply.target import Target
from trickle.catalog.facts import Facts, Questions
from trickle.catalog.frontier import Frontier, SourcePosition, Stamp
from trickle.catalog.happened import Happened
from trickle.catalog.probe import Probe
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
from trickle.options import FloatSums, Options, RefreshMode
from trickle.plan.schema import Column, Schema
from trickle.planning.compile import CompiledView, compile_view, output_schema, refuted, texts_to_confirm
from trickle.planning.exact_check import exact_check
from trickle.planning.explain import Explanation, explain
from trickle.planning.fallback import Failure
from trickle.planning.refresh import Request, plan_refresh
from trickle.planning.state_check import state_check

__all__ = [
    "Action",
    "Column",
    "CompiledView",
    "Explanation",
    "Facts",
    "Failure",
    "FloatSums",
    "Frontier",
    "Happened",
    "InternalError",
    "InvalidView",
    "Name",
    "Options",
    "Position",
    "Probe",
    "Questions",
    "Reason",
    "RefreshMode",
    "RefreshPlan",
    "Relation",
    "Request",
    "Routine",
    "Schema",
    "Source",
    "SourcePosition",
    "Stamp",
    "StateError",
    "Step",
    "StreamTable",
    "Table",
    "Target",
    "TrickleError",
    "Unreadable",
    "Unsupported",
    "View",
    "compile_view",
    "exact_check",
    "explain",
    "output_schema",
    "plan_refresh",
    "refuted",
    "state_check",
    "step_sql",
    "texts_to_confirm",
]
