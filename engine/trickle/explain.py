"""explain: what would be done with a query and why, as data and as text. Needs no database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from trickle.catalog.tables import Resolve
from trickle.compile import CompiledView, compile_view
from trickle.delta.layout import Layout
from trickle.delta.state import Groups
from trickle.delta.top import Top
from trickle.errors import InvalidView, Reason, TrickleError, Unsupported
from trickle.options import Options
from trickle.plan.show import show
from trickle.sql.text import underline


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
        return "\n".join(lines)

    def as_dict(self) -> dict[str, object]:
        """For a program."""
        reasons = [
            {
                "code": one.code,
                "message": " ".join(part for part in (one.message, one.remedy) if part),
                "line": one.position.line if one.position else None,
                "column": one.position.column if one.position else None,
            }
            for one in self.reasons
        ]
        return {"verdict": self.verdict, "apply": self.apply, "reasons": reasons}


def explain(sql: str, resolve: Resolve, options: Options = Options()) -> Explanation:  # noqa: B008 - frozen
    """Compile the query against known tables and say what would be done with it."""
    try:
        view = compile_view(sql, resolve, None, options)
    except Unsupported as refused:
        return Explanation("recompute", "", refused.reasons)
    except InvalidView as wrong:
        return Explanation("invalid", "", (_reason(wrong),))
    return Explanation(view.verdict, applied_by(view.layout) if view.incremental else "recount", view.reasons, view)


def applied_by(layout: Layout) -> str:
    """The strategy for changes that also remove rows."""
    if isinstance(layout, Top):
        return "replace_top"
    if not isinstance(layout, Groups):
        return "recount"
    return "merge_by_key" if layout.algebraic and not layout.only_for_inserts else "replace_groups"


def _reason(error: TrickleError) -> Reason:
    return Reason(error.code, error.message, error.position, error.remedy)
