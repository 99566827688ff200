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
from trickle.plan.show import show
from trickle.planning.compile import CompiledView, compile_view
from trickle.rewrite import REWRITES
from trickle.sql.grammar import refuse_misread
from trickle.sql.text import underline

SOME = Ranges(((0, 0),))
NO_ROWS = FileStatistics(1, rows=0)
"""Statistics under which every literal condition that could be written is worth writing."""


@dataclass(frozen=True)
class Explanation:
    """The verdict on one query."""

    verdict: str
    """incremental · recompute · invalid"""
    apply: str
    """How changes reach the table when they are not only additions."""
    reasons: tuple[Reason, ...]
    view: Optional[CompiledView] = None

    def as_text(self, sql: str) -> str:
        """For a person: verdict, reasons with the user's words underlined, and the plan."""
        lines = [f"verdict: {self.verdict}"]
        if self.apply:
            lines.append(f"applied by: {self.apply}")
        for one in self.reasons:
            lines += ["", f"{one.code}: {one.sentence()}"]
            if one.position is not None:
                lines.append(underline(sql, one.position))
        if self.view is not None and self.view.incremental:
            lines += ["", "plan:", show(self.view.plan, 1)]
            lines += ["", "reads:", *(f"  {line}" for line in reads(self.view))]
            lines += ["", f"passes: {', '.join(passes(self.view.options))}"]
        return "\n".join(lines)

    def as_dict(self) -> dict[str, object]:
        """For a program."""
        reasons = [
            {
                "code": one.code,
                "message": one.words(),
                "line": one.position.line if one.position else None,
                "column": one.position.column if one.position else None,
            }
            for one in self.reasons
        ]
        return {"verdict": self.verdict, "apply": self.apply, "reasons": reasons}


def explain(sql: str, facts: Facts, options: Options = Options()) -> Union[Explanation, Questions]:  # noqa: B008 - frozen
    """Compile the query and explain how it would be maintained; or the questions whose answers the facts lack.

    Our own parser accepts more than Spark does, so the query is checked against Spark's grammar too.
    """
    try:
        view = compile_view(sql, facts, options)
    except Unsupported as refused:
        return _misread(sql) or Explanation("recompute", "", refused.reasons)
    except Unreadable as wrong:
        return _misread(sql) or Explanation("invalid", "", (_only_spark_reads(wrong),))
    except InvalidView as wrong:
        return Explanation("invalid", "", (_reason(wrong),))
    if isinstance(view, Questions):
        return view
    if (wrong_words := _misread(sql)) is not None:
        return wrong_words
    return Explanation(
        view.verdict, view.layout.general_strategy if view.incremental else "recount", view.reasons, view
    )


def _misread(sql: str) -> Optional[Explanation]:
    """The verdict on what Spark's parser cannot read."""
    try:
        refuse_misread(sql)
    except InvalidView as wrong:
        return Explanation("invalid", "", (_reason(wrong),))
    return None


def _only_spark_reads(wrong: Unreadable) -> Reason:
    """dbt refuses such a model, because nobody can say which tables it reads."""
    message = f"Spark reads this query, and dbt-trickle's own parser does not: {wrong.message}"
    return Reason(wrong.code, message, wrong.position, "Write that part in another way, or use materialized='table'.")


def passes(options: Options) -> list[str]:
    """The names of all passes over plans that are not switched off."""
    return [name for name, _ in (*REWRITES, *PASSES) if name not in options.disabled_rewrites]


def reads(view: CompiledView) -> list[str]:
    """For each source, what a refresh reads when that source alone has changed."""
    return [f"when {one.name} changes: {', '.join(_reads_when(view, one.name))}" for one in view.sources]


def _reads_when(view: CompiledView, source: str) -> list[str]:
    """`by` names the columns that are looked up by the changed keys: literals by which Delta may skip files."""
    columns = [column for op in walk(view.plan) if isinstance(op, Scan) for column in op.columns]
    known = dict.fromkeys((column.source for column in columns), SOME)
    statistics = {one.name: ColumnStatistics(known if one.name == source else {}, (NO_ROWS,)) for one in view.sources}
    disabled = view.options.disabled_rewrites
    change = change_to_apply(view.maintained, {source: SourceChange()}, statistics, disabled)
    plans = (change.delta, *view.layout.read_again(change, statistics))
    found: dict[str, set[str]] = {}
    for op in (op for plan in plans for op in walk(plan)):
        for child in op.children:
            scan, by = _looked_up(child)
            if scan is not None and not isinstance(op, Within):
                found.setdefault(scan.source, set()).add(" and ".join(dict.fromkeys(by)))
    others = [f"{name} by {' or by '.join(sorted(by))}" if "" not in by else name for name, by in sorted(found.items())]
    return ["its changes", *others]


def _looked_up(op: Op) -> tuple[Optional[Scan], tuple[str, ...]]:
    """The scan under literal conditions, if it is one, and their columns."""
    if isinstance(op, Within):
        scan, by = _looked_up(op.child)
        named = next((one.source for one in scan.columns if one.name == op.column), op.column) if scan else op.column
        return scan, (*by, named)
    return (op, ()) if isinstance(op, Scan) else (None, ())


def _reason(error: TrickleError) -> Reason:
    return Reason(error.code, error.message, error.position, error.remedy)
