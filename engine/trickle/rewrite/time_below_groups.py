"""time_below_groups: what a grouping asks the clock is a column of its input, so that the groups keep their states."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from sqlglot import exp

from trickle.operators import Aggregate, Project
from trickle.plan.clock import clock_calls, clock_calls_of
from trickle.plan.names import Names
from trickle.plan.op import Op, rewrite_bottom_up, walk
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.sql.build import column
from trickle.sql.text import to_line


def time_below_groups(root: Op) -> Op:
    """SUM(IF(d >= now − 7, x, 0))  →  SUM(c) over SELECT *, IF(d >= now − 7, x, 0) AS c"""
    names = Names()
    for op in walk(root):
        for name in op.schema.names:
            names.fresh(name)
    return rewrite_bottom_up(root, lambda op: _lifted(op, names) if isinstance(op, Aggregate) else op)


@dataclass
class _Columns:
    """The expressions that become columns of the input, each once."""

    names: Names
    found: dict[str, Named] = field(default_factory=dict)

    def instead(self, tree: exp.Expr) -> exp.Expr:
        """A column for an expression that asks the clock."""
        text = to_line(tree)
        if text not in self.found:
            self.found[text] = Named(self.names.fresh("at_instant"), Scalar(tree.copy()))
        return column(self.found[text].name)

    def argument(self, tree: exp.Expr) -> exp.Expr:
        """An aggregate call with such arguments replaced, whole ones only."""
        copied = tree.copy()
        for call in list(copied.find_all(exp.AggFunc, exp.Anonymous, exp.Where)):
            parts = call.expressions if isinstance(call, exp.Anonymous) else [call.this, call.args.get("expression")]
            for part in parts:
                for one in part.expressions if isinstance(part, exp.Distinct) else [part]:
                    if isinstance(one, exp.Expr) and clock_calls(one):
                        one.replace(self.instead(one))
        return copied


def _lifted(op: Aggregate, names: Names) -> Op:
    if not clock_calls_of(op):
        return op
    columns = _Columns(names)
    keys = tuple(
        Named(key.name, Scalar(columns.instead(key.value.tree))) if clock_calls(key.value.tree) else key
        for key in op.keys
    )
    measures = tuple(Named(one.name, Scalar(columns.argument(one.value.tree))) for one in op.measures)
    kept = tuple(Named(name, column_scalar(name)) for name in op.child.schema.names)
    return replace(op, child=Project(op.child, (*kept, *columns.found.values())), keys=keys, measures=measures)
