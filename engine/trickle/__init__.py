"""The engine of dbt-trickle: pure Python, SQL in, plan out. Everything public is named here."""

from __future__ import annotations

from trickle.apply.price import Rates
from trickle.apply.statement import DATA_KINDS, Action, Kind, RefreshPlan, Statement
from trickle.apply.target import Target
from trickle.audit import exact_check
from trickle.catalog.frontier import Frontier, SourcePosition, Stamp, parse_stamp
from trickle.catalog.probe import Happened, Probe
from trickle.catalog.tables import Name, Relation, Resolve, StreamTable, Table, View
from trickle.compile import CompiledView, compile_view, output_schema
from trickle.errors import InternalError, InvalidView, Position, Reason, StateError, TrickleError, Unsupported
from trickle.explain import Explanation, explain
from trickle.lower.pinned import pin, referenced
from trickle.lower.session import Source
from trickle.options import FloatSums, Options, RefreshMode
from trickle.plan.schema import Column, Schema
from trickle.refresh import Request, facade_select, plan_refresh

__all__ = [
    "DATA_KINDS",
    "Action",
    "Column",
    "CompiledView",
    "Explanation",
    "FloatSums",
    "Frontier",
    "Happened",
    "InternalError",
    "InvalidView",
    "Kind",
    "Name",
    "Options",
    "Position",
    "Probe",
    "Rates",
    "Reason",
    "RefreshMode",
    "RefreshPlan",
    "Relation",
    "Request",
    "Resolve",
    "Schema",
    "Source",
    "SourcePosition",
    "Stamp",
    "StateError",
    "Statement",
    "StreamTable",
    "Table",
    "Target",
    "TrickleError",
    "Unsupported",
    "View",
    "compile_view",
    "exact_check",
    "explain",
    "facade_select",
    "output_schema",
    "parse_stamp",
    "pin",
    "plan_refresh",
    "referenced",
]
