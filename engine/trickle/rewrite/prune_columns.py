"""prune_columns: read only the columns somebody uses."""

from __future__ import annotations

from dataclasses import replace

from trickle.operators import (
    Aggregate,
    Explode,
    Filter,
    Join,
    MarkJoin,
    OuterJoin,
    Project,
    Scan,
    SemiJoin,
    UnionAll,
    Window,
)
from trickle.plan.op import Op, walk
from trickle.plan.scalar import Named, column_scalar


def prune_columns(root: Op) -> Op:
    """SELECT a FROM (SELECT a, b, c FROM t)  →  SELECT a FROM (SELECT a FROM t)

    A shared node keeps what any of its readers uses, and stays shared.
    """
    wanted: dict[int, set[str]] = {id(root): set(root.schema.names)}
    for op in reversed(walk(root)):
        # Rows nobody looks into are still counted: they keep a column.
        wanted[id(op)] = wanted[id(op)] or {op.schema.names[0]}
        for child, names in zip(op.children, _asked_of_children(op, wanted[id(op)])):
            wanted.setdefault(id(child), set()).update(names)
    done: dict[int, Op] = {}
    for op in walk(root):
        children = [done[id(child)] for child in op.children]
        if isinstance(op, UnionAll):
            children = _aligned(children, [name for name in op.schema.names if name in wanted[id(op)]])
        done[id(op)] = _narrowed(op.rebuild(children), wanted[id(op)])
    return done[id(root)]


def _asked_of_children(op: Op, wanted: set[str]) -> list[set[str]]:
    """The columns an operator asks of each child when only `wanted` of its own are used."""
    used = {name for scalar in op.scalars() for name in scalar.columns}
    match op:
        case Filter():
            return [wanted | used]
        case Explode():
            return [{name for name in op.child.schema.names if name in wanted | used}]
        case Project():
            return [{name for item in op.items if item.name in wanted for name in item.value.columns}]
        case Join() | OuterJoin() | SemiJoin() | MarkJoin():
            every = wanted | used
            return [{name for name in child.schema.names if name in every} for child in op.children]
        case UnionAll():
            return [set(wanted) for _ in op.children]
        case Aggregate():
            measures = [measure.value for measure in op.measures if measure.name in wanted]
            return [{name for value in (*(key.value for key in op.keys), *measures) for name in value.columns}]
        case Window():
            kept = [item.value for item in op.items if item.name in wanted]
            # Without one of its functions the operator goes, and its partitions with it.
            keys = [key.value for key in op.partition] if kept else []
            own = {name for value in (*kept, *keys) for name in value.columns}
            return [{name for name in op.child.schema.names if name in wanted} | own]
        case _:
            return [set(child.schema.names) for child in op.children]


def _narrowed(op: Op, wanted: set[str]) -> Op:
    """The node without the columns nobody uses. At least one column stays, so that rows keep being rows."""
    match op:
        case Scan():
            kept = tuple(one for one in op.columns if one.name in wanted) or op.columns[:1]
            return op if kept == op.columns else replace(op, columns=kept)
        case Project():
            items = tuple(item for item in op.items if item.name in wanted) or op.items[:1]
            return op if items == op.items else replace(op, items=items)
        case Aggregate():
            measures = tuple(measure for measure in op.measures if measure.name in wanted)
            if not op.keys and not measures:
                measures = op.measures[:1]
            return op if measures == op.measures else replace(op, measures=measures)
        case Window():
            items = tuple(item for item in op.items if item.name in wanted)
            return op.child if not items else op if items == op.items else replace(op, items=items)
        case _:
            return op


def _aligned(branches: list[Op], names: list[str]) -> list[Op]:
    """Branches keep different columns, each for reasons of its own: bring them back to the same ones."""
    items = tuple(Named(name, column_scalar(name)) for name in names)
    return [branch if branch.schema.names == tuple(names) else Project(branch, items) for branch in branches]
