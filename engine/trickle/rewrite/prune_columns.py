"""prune_columns: reads only the columns that are used."""

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

    A shared node keeps the columns that any of its parents uses, and stays shared.
    """
    wanted: dict[int, set[str]] = {id(root): set(root.schema.names)}
    for op in reversed(walk(root)):
        # Rows without used columns are still counted: they keep a column.
        wanted[id(op)] = wanted[id(op)] or {op.schema.names[0]}
        for child, names in zip(op.children, _used_of_children(op, wanted[id(op)])):
            wanted.setdefault(id(child), set()).update(names)
    done: dict[int, Op] = {}
    for op in walk(root):
        children = [done[id(child)] for child in op.children]
        if isinstance(op, UnionAll):
            children = _aligned(children, [name for name in op.schema.names if name in wanted[id(op)]])
        done[id(op)] = _narrowed(op.rebuild(children), wanted[id(op)])
    return done[id(root)]


def _used_of_children(op: Op, wanted: set[str]) -> list[set[str]]:
    """The columns an operator uses of each child when only `wanted` of its own are used."""
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
            used_items = [item.value for item in op.items if item.name in wanted]
            # Without any of its functions the operator is removed, and its partition keys are not used.
            keys = [key.value for key in op.partition] if used_items else []
            own = {name for value in (*used_items, *keys) for name in value.columns}
            return [{name for name in op.child.schema.names if name in wanted} | own]
        case _:
            return [set(child.schema.names) for child in op.children]


def _narrowed(op: Op, wanted: set[str]) -> Op:
    """The node without its unused columns. At least one column stays, so that rows remain."""
    match op:
        case Scan():
            used_items = tuple(column for column in op.columns if column.name in wanted) or op.columns[:1]
            return op if used_items == op.columns else replace(op, columns=used_items)
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
    """Projects the branches of a union to the same columns: each may have kept other columns."""
    items = tuple(Named(name, column_scalar(name)) for name in names)
    return [branch if branch.schema.names == tuple(names) else Project(branch, items) for branch in branches]
