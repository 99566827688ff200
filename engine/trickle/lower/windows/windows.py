"""Windows: every OVER of a SELECT list and QUALIFY, with one operator per partitioning."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot import exp

from trickle.lower.session import Session
from trickle.operators import Window
from trickle.plan.op import Op
from trickle.plan.scalar import Named, Scalar
from trickle.plan.ties import window_function
from trickle.sql.build import column
from trickle.sql.text import to_line


@dataclass
class _Partitioning:
    """The windows with the same partition keys."""

    keys: tuple[Named, ...]
    items: dict[str, Named] = field(default_factory=dict)


def lower_windows(op: Op, trees: list[exp.Expr], session: Session) -> tuple[Op, list[exp.Expr]]:
    """The operators that compute the windows in `trees`, and the trees over their output."""
    partitionings: dict[str, _Partitioning] = {}

    def replace(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.Window):
            return node
        parts = list(dict.fromkeys(to_line(part) for part in node.args["partition_by"]))
        text = ", ".join(sorted(parts))
        if text not in partitionings:
            keys = {to_line(part): part for part in node.args["partition_by"]}
            named = tuple(Named(session.names.fresh("partition_key"), Scalar(part.copy())) for part in keys.values())
            partitionings[text] = _Partitioning(named)
        items = partitionings[text].items
        call = to_line(node)
        if call not in items:
            items[call] = Named(session.names.fresh(_call_name(node)), Scalar(node.copy()))
        return column(items[call].name)

    replaced = [tree.copy().transform(replace, copy=False) for tree in trees]
    # Windows without partition keys come last: only at the top can they be stored.
    for partitioning in sorted(partitionings.values(), key=lambda partitioning: not partitioning.keys):
        op = Window(op, partitioning.keys, tuple(partitioning.items.values()))
    return op, replaced


def _call_name(window: exp.Window) -> str:
    call = window_function(window)
    return call.name.lower() if isinstance(call, exp.Anonymous) else type(call).__name__.lower()
