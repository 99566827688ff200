"""explain: how a query would be maintained and why, as data and as text. Needs no database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Union

from trickle.catalog.facts import Facts, Questions
from trickle.delta.differentiate import SourceChange
from trickle.delta.passes import PASSES, change_to_apply
from trickle.errors import InvalidView, Reason, TrickleError, Unreadable, Unsupported
from trickle.operators import Scan, Within
from trickle.options import Options
from trickle.plan.op import Op, walk
from trickle.plan.ranges import ColumnStatistics, FileStatistics, Ranges
from trickle.plan.read_class import ReadClass
from trickle.plan.show import show
from trickle.planning.arrange import groupings_in_words
from trickle.planning.compile import CompiledView, compile_view
from trickle.planning.maintenance_reads import MaintenanceReads, maintenance_reads
from trickle.rewrite import REWRITES
from trickle.sql.grammar import refuse_misread
from trickle.sql.text import underline

ANY_RANGE = Ranges(((0, 0),))
NO_ROWS = FileStatistics(1, rows=0)
"""Statistics under which every possible literal condition pays."""


@dataclass(frozen=True)
class Explanation:
    """The verdict on one query."""

    verdict: str
    """incremental · recompute · invalid"""
    apply: str
    """The strategy for changes that also remove rows."""
    reasons: tuple[Reason, ...]
    view: Optional[CompiledView] = None
    maintenance: Optional[MaintenanceReads] = None
    """What maintaining the table reads, where it is maintained."""

    @property
    def read_class(self) -> Optional[ReadClass]:
        """None for a query that is invalid."""
        if self.maintenance is not None:
            return self.maintenance.read_class
        return ReadClass.RECOMPUTE if self.verdict == "recompute" else None

    @property
    def reads_again(self) -> tuple[str, ...]:
        return self.maintenance.again if self.maintenance is not None else ()

    @property
    def inner_groupings(self) -> tuple[str, ...]:
        """Groupings inside the query that `arrangements` may store as tables of their own."""
        return groupings_in_words(self.view) if self.view is not None else ()

    def as_text(self, sql: str) -> str:
        """The explanation for a person: verdict, reasons with the user's text underlined, and the plan."""
        lines = [f"verdict: {self.verdict}"]
        if self.read_class is not None:
            lines.append(f"class: {self.read_class.value}")
        if self.apply:
            lines.append(f"applied by: {self.apply}")
        for reason in self.reasons:
            lines += ["", f"{reason.code}: {reason.sentence()}"]
            if reason.position is not None:
                lines.append(underline(sql, reason.position))
        if self.view is not None and self.view.incremental:
            lines += ["", "plan:", show(self.view.plan, 1)]
            lines += ["", "reads:", *(f"  {line}" for line in reads(self.view))]
            if self.reads_again:
                lines += ["", "reads again:", *(f"  {line}" for line in self.reads_again)]
            if self.inner_groupings:
                lines += ["", "can be stored as arrangements:", *(f"  {line}" for line in self.inner_groupings)]
            lines += ["", f"passes: {', '.join(passes(self.view.options))}"]
        return "\n".join(lines)

    def as_dict(self) -> dict[str, object]:
        """The explanation for a program."""
        reasons = [
            {
                "code": reason.code,
                "message": reason.words(),
                "line": reason.position.line if reason.position else None,
                "column": reason.position.column if reason.position else None,
            }
            for reason in self.reasons
        ]
        return {
            "verdict": self.verdict,
            "class": self.read_class.value if self.read_class is not None else None,
            "reads_again": list(self.reads_again),
            "inner_groupings": list(self.inner_groupings),
            "apply": self.apply,
            "reasons": reasons,
        }


def explain(sql: str, facts: Facts, options: Options = Options()) -> Union[Explanation, Questions]:  # noqa: B008 - frozen
    """Compile the query and explain how it would be maintained; or the questions whose answers the facts lack.

    Our own parser accepts more than Spark does, so the query is checked against Spark's grammar too.
    """
    try:
        view = compile_view(sql, facts, options)
    except Unsupported as unsupported:
        return _misread(sql) or Explanation("recompute", "", unsupported.reasons)
    except Unreadable as error:
        return _misread(sql) or Explanation("invalid", "", (_only_spark_parses(error),))
    except InvalidView as error:
        return Explanation("invalid", "", (_reason(error),))
    if isinstance(view, Questions):
        return view
    if (misread := _misread(sql)) is not None:
        return misread
    apply = view.layout.general_strategy if view.incremental else "recount"
    return Explanation(view.verdict, apply, view.reasons, view, maintenance_reads(view))


def _misread(sql: str) -> Optional[Explanation]:
    """The verdict on a text that Spark's parser cannot read; None for any other."""
    try:
        refuse_misread(sql)
    except InvalidView as error:
        return Explanation("invalid", "", (_reason(error),))
    return None


def _only_spark_parses(error: Unreadable) -> Reason:
    """The reason for a text that only Spark can parse: dbt refuses the model, as its tables are not known."""
    message = f"Spark can parse this query, and dbt-trickle's parser cannot: {error.message}"
    return Reason(error.code, message, error.position, "Write that part in another way, or use materialized='table'.")


def passes(options: Options) -> list[str]:
    """The names of all passes over plans that are not switched off."""
    return [name for name, _ in (*REWRITES, *PASSES) if name not in options.disabled_rewrites]


def reads(view: CompiledView) -> list[str]:
    """For each source, the tables that a refresh reads when only that source has changed."""
    return [f"when {source.name} changes: {', '.join(_reads_when(view, source.name))}" for source in view.sources]


def _reads_when(view: CompiledView, source: str) -> list[str]:
    """The tables read; `by` lists the columns with literals of the changed keys, by which Delta can skip files."""
    columns = [column for op in walk(view.plan) if isinstance(op, Scan) for column in op.columns]
    known = dict.fromkeys((column.source for column in columns), ANY_RANGE)
    statistics = {
        other.name: ColumnStatistics(known if other.name == source else {}, (NO_ROWS,)) for other in view.sources
    }
    disabled = view.options.disabled_rewrites
    change = change_to_apply(view.maintained, {source: SourceChange()}, statistics, disabled)
    plans = (change.delta, *view.layout.read_again(change, statistics))
    tables: dict[str, set[str]] = {}
    for op in (op for plan in plans for op in walk(plan)):
        for child in op.children:
            scan, by = _looked_up(child)
            if scan is not None and not isinstance(op, Within):
                tables.setdefault(scan.source, set()).add(" and ".join(dict.fromkeys(by)))
    others = [
        f"{name} by {' or by '.join(sorted(by))}" if "" not in by else name for name, by in sorted(tables.items())
    ]
    return ["its changes", *others]


def _looked_up(op: Op) -> tuple[Optional[Scan], tuple[str, ...]]:
    """The scan under literal conditions, if there is one, and the columns of these conditions."""
    if isinstance(op, Within):
        scan, by = _looked_up(op.child)
        named = (
            next((column.source for column in scan.columns if column.name == op.column), op.column)
            if scan
            else op.column
        )
        return scan, (*by, named)
    return (op, ()) if isinstance(op, Scan) else (None, ())


def _reason(error: TrickleError) -> Reason:
    return Reason(error.code, error.message, error.position, error.remedy)
