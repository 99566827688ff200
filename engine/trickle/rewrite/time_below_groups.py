"""time_below_groups: moves a grouping's clock calls into columns of its input, so that group states stay valid."""

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
    """The expressions that become columns of the input, each once, by their text."""

    names: Names
    by_text: dict[str, Named] = field(default_factory=dict)

    def column_for(self, tree: exp.Expr) -> exp.Expr:
        """The column for an expression with clock calls."""
        text = to_line(tree)
        if text not in self.by_text:
            self.by_text[text] = Named(self.names.fresh("at_instant"), Scalar(tree.copy()))
        return column(self.by_text[text].name)

    def replace_arguments(self, tree: exp.Expr) -> exp.Expr:
        """An aggregate call with each argument that has clock calls replaced by its column."""
        copied = tree.copy()
        for call in list(copied.find_all(exp.AggFunc, exp.Anonymous, exp.Where)):
            parts = call.expressions if isinstance(call, exp.Anonymous) else [call.this, call.args.get("expression")]
            for part in parts:
                for part_value in part.expressions if isinstance(part, exp.Distinct) else [part]:
                    if isinstance(part_value, exp.Expr) and clock_calls(part_value):
                        part_value.replace(self.column_for(part_value))
        return copied


def _lifted(op: Aggregate, names: Names) -> Op:
    if not clock_calls_of(op):
        return op
    columns = _Columns(names)
    keys = tuple(
        Named(key.name, Scalar(columns.column_for(key.value.tree))) if clock_calls(key.value.tree) else key
        for key in op.keys
    )
    measures = tuple(
        Named(measure.name, Scalar(columns.replace_arguments(measure.value.tree))) for measure in op.measures
    )
    passed_on = tuple(Named(name, column_scalar(name)) for name in op.child.schema.names)
    return replace(op, child=Project(op.child, (*passed_on, *columns.by_text.values())), keys=keys, measures=measures)
