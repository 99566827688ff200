"""compile_view: from the user's text to everything a refresh needs that does not depend on data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Optional, Union

import xxhash
from sqlglot import exp

from trickle.catalog.facts import Facts, Questions
from trickle.catalog.read_columns import EVERY_COLUMN, ReadColumns
from trickle.catalog.tables import Source
from trickle.delta.reach import is_out_of_reach
from trickle.errors import InvalidView, Reason, TrickleError, Unsupported
from trickle.layouts.bag import Bag
from trickle.layouts.choose import layout_of
from trickle.layouts.layout import Layout
from trickle.lower.refusals.hidden_inputs import hidden_inputs, with_hidden_inputs
from trickle.lower.refusals.refuse import refusals
from trickle.lower.select.clock import only_on_top, only_shown, with_clock_calls
from trickle.lower.select.query import lower_query
from trickle.lower.session import Lowered, Session
from trickle.lower.sources.pin import pinned, texts, unknown_relations
from trickle.lower.sources.pinned import Answer, PinnedQuery
from trickle.lower.sources.routines import Routines, routines_of, unknown_routines
from trickle.lower.subqueries.in_values import refuse_negated
from trickle.lower.windows.named_windows import with_named_windows
from trickle.operators import Project, Recompute, Recursion, Scan, TopK, Window
from trickle.operators.project import renaming
from trickle.options import Options, RefreshMode
from trickle.plan.clock import ClockCall
from trickle.plan.instant import Instants
from trickle.plan.make_deterministic import is_made_deterministic
from trickle.plan.names import Names, shown_name, stored_name
from trickle.plan.op import Op, walk
from trickle.plan.scalar import Named, column_scalar
from trickle.plan.schema import Column, Schema
from trickle.plan.ties import depends_on_ties, window_function
from trickle.reasons import reason
from trickle.rewrite import rewritten
from trickle.sql.nesting import nesting
from trickle.sql.parse import parse_select, position_of
from trickle.sql.text import function_name, to_text
from trickle.types import can_be_stored, parse_type

LAYOUT_FORMAT = 1
"""Raised when stored tables of an older version of the engine must be built anew."""

DEEPEST = 300
"""Parts of a query within each other, a chain of OR or UNION ALL among them: beyond, planning takes minutes."""

UnderstoodPlan = tuple[Op, Schema, bool, frozenset[str]]

_DEEP_PARTS = "too many groupings, joins or views stand above each other"


@dataclass(frozen=True)
class CompiledView:
    """A view, ready to be refreshed."""

    pinned: PinnedQuery
    plan: Op
    layout: Layout
    columns: Schema
    """The visible columns under the names they are stored by."""
    reasons: tuple[Reason, ...]
    options: Options
    freezes: bool = True
    """Whether values of the clock that are only shown stay as they are until the data changes."""
    routines: Routines = field(default_factory=Routines)
    splits_padding: bool = False
    """Whether stored groups count the rows of an outer join in two parts, as the first release did not."""

    def __getstate__(self) -> dict[str, Any]:
        """All but the layout, which holds functions and follows from the rest."""
        return {**vars(self), "layout": None}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__dict__.update(state)
        layout = layout_of(self.plan, self.columns, self.options.float_sums) if self.incremental else Bag(self.columns)
        self.__dict__["layout"] = layout

    @property
    def text(self) -> str:
        """The user's SELECT as written."""
        return self.pinned.text

    @property
    def sources(self) -> tuple[Source, ...]:
        """The tables whose versions a refresh reads."""
        return self.pinned.sources

    @cached_property
    def clock_calls(self) -> frozenset[ClockCall]:
        """What the query asks the clock."""
        return frozenset(replace(call, shown=call.shown and self.freezes) for call in self.pinned.clock_calls())

    def answers(self, instants: Instants) -> Answer:
        """What each question of the text to the clock is answered."""
        return lambda call: instants.literal(replace(call, shown=call.shown and self.freezes))

    @property
    def shown(self) -> Schema:
        """The visible columns under the names users gave them."""
        return Schema(tuple(replace(column, name=shown_name(column.name)) for column in self.columns))

    @property
    def incremental(self) -> bool:
        return not isinstance(self.plan, Recompute)

    @cached_property
    def settles_ties(self) -> bool:
        """Whether the plan decides what the text leaves open: which of several tied rows comes first."""
        if any(isinstance(op, TopK) for op in walk(self.plan)):
            return True
        scalars = [scalar.tree for op in walk(self.plan) for scalar in op.scalars()]
        return any(depends_on_ties(tree) or is_made_deterministic(tree) for tree in scalars)

    def reads_of(self, source: str) -> ReadColumns:
        """The columns of a source that decide what is stored. Ties are broken by any of them."""
        if not self.incremental or self.settles_ties:
            return EVERY_COLUMN
        scans = [op for op in walk(self.plan) if isinstance(op, Scan) and op.source == source]
        names = frozenset(column.source.lower() for scan in scans for column in scan.columns)
        return ReadColumns(names, self.pinned.by_position)

    @property
    def verdict(self) -> str:
        return "incremental" if self.incremental else "recompute"

    @property
    def key_columns(self) -> tuple[str, ...]:
        """Stored columns that identify a stored row, where the layout has such."""
        return self.layout.identified_by_keys

    @property
    def maintained(self) -> Op:
        """The part of the plan whose change is applied."""
        return self.layout.maintained(self.plan)

    @cached_property
    def definition(self) -> str:
        """Fingerprint of what the table means and how it is laid out: comments and formatting do not count."""
        digest = xxhash.xxh3_128()
        parts = [str(LAYOUT_FORMAT), self.verdict, *self.pinned.definitions()]
        parts += [f"{column.name} {column.type}" for column in self.columns]
        parts += [type(self.layout).__name__, *self.layout.stored]
        parts += sorted(f"{call.name} {call.shown}" for call in self.clock_calls)
        parts += [f"{name} {own}" for name, own in sorted(self.routines.fingerprints.items())]
        parts += ["split_padding"] if self.splits_padding else []
        for part in parts:
            digest.update(part.encode())
            digest.update(b"\0")
        return digest.hexdigest()


@dataclass(frozen=True)
class CompileInput:
    """A query of which everything is known that its text names."""

    pinned: PinnedQuery
    facts: Facts
    routines: Routines
    options: Options
    unknown_types: dict[str, None] = field(default_factory=dict)
    """Queries whose types turned out to be needed."""


def compile_view(text: str, facts: Facts, options: Options = Options()) -> Union[CompiledView, Questions]:  # noqa: B008 - frozen
    """Parse, find the sources, lower, rewrite and lay out; or the questions whose answers the facts lack.

    What has no incremental form becomes Recompute with its reasons; `refresh_mode: incremental` refuses it instead.
    """
    trees = [parse_select(part) for part in texts(text, facts.relations)]
    questions = Questions(unknown_relations(text, facts.relations), unknown_routines(trees, facts.routines))
    if questions:
        return questions
    work = CompileInput(pinned(text, facts.relations), facts, routines_of(trees, facts.routines), options)
    try:
        view = _compiled(work)
    except TrickleError:
        # It may be only the missing types that are wrong.
        if not work.unknown_types:
            raise
    return Questions(types=tuple(work.unknown_types)) if work.unknown_types else view


def texts_to_confirm(view: CompiledView) -> tuple[tuple[str, str], ...]:
    """Each text of the view beside what was parsed of it: for Spark both must be the same query.

    The calls of the clock have one answer in both: two such calls are never the same query.
    """
    if not view.incremental:
        return ()
    written = view.pinned.asking_no_clock(Instants(0, 0, "UTC").literal)
    return tuple((text, to_text(parse_select(text), pretty=False)) for text in written)


def refuted(view: CompiledView) -> CompiledView:
    """The view where Spark reads one of its texts as another query than was parsed: it is recomputed."""
    reasons = (reason("reads_differently"),)
    if view.options.refresh_mode is RefreshMode.INCREMENTAL:
        raise Unsupported(list(reasons))
    return _recomputed(view.pinned, view.routines, view.options, view.columns, reasons)


def _compiled(work: CompileInput) -> CompiledView:
    query, output, options = work.pinned, work.facts.output, work.options
    unseen = hidden_inputs(query, work.routines)
    try:
        plan, columns, freezes, rewrites = _understood_plan(work)
        if unseen:
            raise Unsupported(list(unseen))
        layout = layout_of(plan, columns, options.float_sums)
        _refuse_unmaintainable(plan, layout, query.text)
    except (Unsupported, RecursionError) as failure:
        # Views that read views, and what else no measure foresaw, may be deeper than calls can go.
        refused = failure if isinstance(failure, Unsupported) else Unsupported([reason("too_deep", what=_DEEP_PARTS)])
        reasons = with_hidden_inputs(refused.reasons, unseen)
        if options.refresh_mode is RefreshMode.INCREMENTAL:
            raise Unsupported(list(reasons)) from failure
        columns = _as_stored(output) if output is not None else Schema(())
        return _recomputed(query, work.routines, options, columns, reasons)
    splits = "split_padding" in rewrites
    return CompiledView(query, plan, layout, columns, (), options, freezes, work.routines, splits)


def _recomputed(
    query: PinnedQuery, routines: Routines, options: Options, columns: Schema, reasons: tuple[Reason, ...]
) -> CompiledView:
    freezes = only_on_top(query.calls, parse_select(query.text))
    plan = Recompute(columns, reasons)
    return CompiledView(query, plan, Bag(columns), columns, reasons, options, freezes, routines)


def _refuse_unmaintainable(plan: Op, layout: Layout, text: str) -> None:
    """What the layout cannot keep exact."""
    maintained = layout.maintained(plan)
    if _cuts_a_recursion(plan):
        raise Unsupported([reason("recursion_cut")])
    if layout.holds_recursions and any(isinstance(op, TopK) for op in walk(plan)):
        raise Unsupported([reason("recursion_not_kept", what="ORDER BY … LIMIT")])
    if is_out_of_reach(plan, maintained):
        raise Unsupported([reason("too_deep", what=_DEEP_PARTS)])
    if any(isinstance(op, Window) and not op.partition for op in walk(maintained)):
        raise Unsupported(_over_everything(text))


def _cuts_a_recursion(plan: Op) -> bool:
    """Whether a LIMIT without ORDER BY stands over a recursion, which need not end by itself then."""
    cut = [op for op in walk(plan) if isinstance(op, TopK) and not op.order]
    return any(isinstance(op, Recursion) for top in cut for op in walk(top))


def _over_everything(text: str) -> list[Reason]:
    """The windows without PARTITION BY that are computed for other operators, or all of them."""
    tree = parse_select(text)
    every = with_named_windows(tree, text).find_all(exp.Window)
    windows = [window for window in every if not window.args.get("partition_by")]
    totals = [window for window in windows if not window.args.get("order")]
    inner = [window for window in windows if window.find_ancestor(exp.Select, exp.SetOperation) is not window.root()]
    refused = totals or inner or windows
    calls = {position_of(window, text): f"{function_name(window_function(window))}() OVER" for window in refused}
    code = "window_total" if totals else "window_over_everything"
    return [reason(code, position, what=call) for position, call in calls.items()]


def _understood_plan(work: CompileInput) -> UnderstoodPlan:
    """The incremental plan. A query for which Spark knows the output columns is valid, whatever we find wrong in it."""
    try:
        return _incremental_plan(work)
    except InvalidView as wrong:
        if work.facts.output is None:
            raise
        raise Unsupported([reason("only_spark_reads", wrong.position, what=wrong.message)]) from wrong


def _incremental_plan(work: CompileInput) -> UnderstoodPlan:
    """The plan, the columns users see, whether shown values of the clock stay until data changes, and the rewrites."""
    text, facts = work.pinned.text, work.facts
    tree = parse_select(text)
    if (levels := nesting(tree)) > DEEPEST:
        raise Unsupported([reason("too_deep", what=f"{levels} parts stand within each other, more than {DEEPEST}")])
    tree = with_named_windows(tree, text)
    reasons = refusals(tree, text, work.routines.unknown)
    if reasons:
        raise Unsupported(reasons)
    freezes = True
    session = Session(text, facts, lower_query, routines=work.routines.unknown, unknown_types=work.unknown_types)
    session = replace(session, type_mismatches=[] if facts.output is None else None)
    lowered = _lowered(tree, session, freezes)
    if not only_shown(lowered.op):
        freezes = False
        lowered = _lowered(tree, session.afresh(), freezes)
    columns = _visible_columns(lowered, facts.output)
    named = _in_order(lowered)
    plan, rewrites = rewritten(renaming(named, columns.names), work.options.disabled_rewrites)
    return plan, columns, freezes, rewrites


def _lowered(tree: exp.Query, session: Session, freezes: bool) -> Lowered:
    """The plan of the text. Where Spark has not accepted the query, errors that are certain are raised here."""
    try:
        lowered = lower_query(with_clock_calls(tree.copy(), freezes), session, {})
    except Unsupported:
        if session.type_mismatches:
            raise session.type_mismatches[0] from None
        raise
    if session.type_mismatches:
        raise session.type_mismatches[0]
    if session.type_mismatches is not None:
        _refuse_order(tree, session)
    refuse_negated(lowered.op, session)
    return lowered


def _refuse_order(tree: exp.Query, session: Session) -> None:
    """An ORDER BY without LIMIT decides nothing here, and may be wrong all the same: it is read as if it did."""
    ordered = tree.copy()
    for query in ordered.find_all(exp.Query):
        if query.args.get("order") and not query.args.get("limit") and not query.args.get("offset"):
            query.set("limit", exp.Limit(expression=exp.Literal.number(1)))
    if ordered == tree:
        return
    again = session.afresh()
    try:
        lower_query(ordered, again, {})
    except Unsupported:
        # A reason of the LIMIT that is not there.
        return
    if again.type_mismatches:
        raise again.type_mismatches[0]


def _in_order(lowered: Lowered) -> Op:
    """The plan with exactly the query's columns, in the query's order."""
    wanted = tuple(internal for _, internal in lowered.columns)
    if lowered.op.schema.names == wanted:
        return lowered.op
    return Project(lowered.op, tuple(Named(name, column_scalar(name)) for name in wanted))


def _visible_columns(lowered: Lowered, output: Optional[Schema]) -> Schema:
    """Names and types users see: Spark's answer where there is one, else made unique so that they can be stored."""
    if output is not None:
        if len(output) != len(lowered.columns):
            raise Unsupported([reason("unresolved_name", what="*")])
        return _as_stored(output)
    names = Names()
    columns = [Column(names.fresh(name), lowered.op.schema.type_of(internal)) for name, internal in lowered.columns]
    return _as_stored(Schema(tuple(columns)))


def _as_stored(shown: Schema) -> Schema:
    return Schema(tuple(replace(column, name=stored_name(column.name)) for column in shown))


def output_schema(columns: Sequence[tuple[str, str]]) -> Schema:
    """Spark's answer for the SELECT as a schema; refuses what no view can show."""
    seen: set[str] = set()
    for name, kind in columns:
        if not can_be_stored(parse_type(kind)):
            message = f"the column {name} has the type {kind}, which Delta stores in no table"
            raise InvalidView(message, remedy="CAST it to STRING, or to a number.")
        if name.lower() in seen:
            raise InvalidView(f"two columns are called {name}", remedy="Give one of them an alias.")
        seen.add(name.lower())
    return Schema(tuple(Column(name, type_text) for name, type_text in columns))
