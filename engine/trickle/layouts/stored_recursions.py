"""Stored recursions: the Groups of a view with recursions inside, whose rows are stored beside the view's own.

A change of the tables that a step reads is joined with the rows the recursion had. So the storage holds groups of
several kinds: those of the view (SHOWN), and the distinct rows of each recursion, which are hidden as groups that
HAVING hides are. A view that only projects and filters one recursion stores its rows once, with the view's columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Optional

from sqlglot import exp

from trickle.errors import Unsupported
from trickle.layouts.groups import Groups, StoredRecursionRows, groups_of
from trickle.layouts.measures import measured
from trickle.operators import Aggregate, Filter, Project, Recursion, Scan, UnionAll, Values
from trickle.options import FloatSums
from trickle.plan.clock import clock_calls_of
from trickle.plan.hidden_columns import KIND, SHOWN
from trickle.plan.op import Op, rewrite_bottom_up, walk
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.plan.schema import Column, Schema
from trickle.reasons import reason
from trickle.sql.build import all_of, column, integer, null_of
from trickle.types import has_equality

REAL = "__trickle_real"


def reads_tables(op: Op) -> bool:
    """Whether it is a recursion over tables. A series of numbers or dates is computed again wherever it is read."""
    return isinstance(op, Recursion) and any(isinstance(node, Scan) for node in walk(op))


def store_recursions(root: Op, visible: Schema, floats: FloatSums) -> Optional[Groups]:
    """A layout that holds the rows of every recursion over tables; None where there is none."""
    names = {id(op): str(number) for number, op in enumerate(filter(reads_tables, walk(root)), 1)}
    if not names:
        return None
    root = _named(root, names)
    recursions = tuple(op for op in walk(root) if isinstance(op, Recursion) and op.slot is not None)
    _refuse(own for op in recursions for own in op.schema)
    alone = _alone(root)
    if alone is not None and recursions == (alone,):
        return _once(root, alone, visible, floats)
    return _with_recursions(root, recursions, visible, floats)


def _named(root: Op, names: Mapping[int, str]) -> Op:
    done: dict[int, Op] = {}
    for op in walk(root):
        children = [done[id(child)] for child in op.children]
        rebuilt = op.rebuild(children)
        done[id(op)] = (
            replace(rebuilt, slot=names[id(op)]) if isinstance(rebuilt, Recursion) and id(op) in names else rebuilt
        )
    return done[id(root)]


def _refuse(columns: Iterable[Column]) -> None:
    """Stored rows are found again by all their columns."""
    refused = [own for own in columns if not has_equality(own.parsed_type)]
    if refused:
        raise Unsupported([reason("unmergeable_type", what=f"{own.name} {own.type}") for own in refused])


def _alone(root: Op) -> Optional[Recursion]:
    """The recursion that is the view, but for projections and filters that do not read the clock."""
    while isinstance(root, (Project, Filter)) and not clock_calls_of(root):
        root = root.child
    return root if isinstance(root, Recursion) else None


def _once(root: Op, recursion: Recursion, visible: Schema, floats: FloatSums) -> Optional[Groups]:
    """The recursion's equal rows are a group, shown as often as it has rows."""
    columns = tuple(Named(name, column_scalar(name)) for name in recursion.schema.names)
    distinct = Aggregate(recursion, columns, ())
    groups = groups_of(rewrite_bottom_up(root, lambda op: distinct if op is recursion else op), visible, floats)
    assert groups is not None and recursion.slot is not None
    rows = StoredRecursionRows(recursion.slot, tuple((name, name) for name in recursion.schema.names))
    return replace(groups, repeats=True, stored_recursions=(rows,))


def _with_recursions(root: Op, recursions: tuple[Recursion, ...], visible: Schema, floats: FloatSums) -> Groups:
    """The groups of the view, or its rows, and the rows of each recursion, distinguished by a kind."""
    groups = groups_of(root, visible, floats)
    if groups is None or reads_clock_above(root, groups.aggregate.child):
        groups = _bag(root, visible)
    own = groups.aggregate if groups.aggregate.keys else _of_one_group(groups.aggregate)
    arguments = sorted({name for measure in own.measures for name in measure.value.columns})
    passed = {name: f"__trickle_argument_{number}" for number, name in enumerate(arguments, 1)}
    main = (*own.keys, *(Named(passed[name], column_scalar(name)) for name in arguments))
    branches: list[tuple[Op, tuple[Named, ...]]] = [(own.child, main)]
    stored: list[StoredRecursionRows] = []
    for kind, op in enumerate(recursions, SHOWN + 1):
        pairs = tuple((name, f"__trickle_kept_{kind}_{number}") for number, name in enumerate(op.schema.names, 1))
        branches.append((op, tuple(Named(key, column_scalar(name)) for name, key in pairs)))
        stored.append(StoredRecursionRows(op.slot or "", pairs, kind))
    child = _of_kinds(branches)
    keys = (KIND, *(key.name for key in own.keys), *(key for rows in stored for _, key in rows.columns))
    renamed = {name: column_scalar(new) for name, new in passed.items()}
    measures = tuple(Named(measure.name, measure.value.over(renamed)) for measure in own.measures)
    aggregate = Aggregate(child, tuple(Named(name, column_scalar(name)) for name in keys), measures)
    shown = exp.EQ(this=column(KIND), expression=integer(SHOWN))
    condition = all_of([shown, *([] if groups.condition is None else [groups.condition.tree_copy()])])
    assert condition is not None
    return replace(
        groups,
        aggregate=aggregate,
        condition=Scalar(condition),
        measures=measured(aggregate, floats),
        stored_recursions=tuple(stored),
    )


def _bag(root: Op, visible: Schema) -> Groups:
    """Equal rows of the view are a group, shown as often as it has rows."""
    columns = tuple(Named(name, column_scalar(name)) for name in visible.names)
    return Groups(visible, Aggregate(root, columns, ()), columns, None, (), repeats=True)


def _of_one_group(total: Aggregate) -> Aggregate:
    """A total is one row even over no rows: a group that always has a row, one that no aggregate counts."""
    names = total.child.schema.names
    own = Project(total.child, (*(Named(name, column_scalar(name)) for name in names), Named(REAL, Scalar(exp.true()))))
    ghost = Values((*own.schema.columns[:-1], Column(REAL, "boolean")), (_ghost(total.child.schema),))
    measures = tuple(Named(measure.name, Scalar(_of_real_rows(measure.value.tree))) for measure in total.measures)
    return Aggregate(UnionAll((own, ghost)), (), measures)


def _ghost(schema: Schema) -> tuple[Scalar, ...]:
    return (*(Scalar(null_of(own.type)) for own in schema), Scalar(exp.false()))


def _of_real_rows(call: exp.Expr) -> exp.Expr:
    real: exp.Expr = column(REAL)
    if isinstance(call, exp.Filter):
        real = exp.And(this=real, expression=exp.Paren(this=call.expression.this.copy()))
        call = call.this
    return exp.Filter(this=call.copy(), expression=exp.Where(this=real))


def _of_kinds(branches: list[tuple[Op, tuple[Named, ...]]]) -> UnionAll:
    """Each branch with its kind, and NULLs for the columns of the others."""
    projected = [Project(op, items) for op, items in branches]
    every = [wanted for op in projected for wanted in op.schema]
    rows: list[Op] = []
    for kind, op in enumerate(projected, SHOWN):
        own = {item.name: item.value for item in op.items}
        items = [Named(KIND, Scalar(integer(kind)))]
        for wanted in every:
            items.append(Named(wanted.name, own.get(wanted.name, Scalar(null_of(wanted.type)))))
        rows.append(Project(op.child, tuple(items)))
    return UnionAll(tuple(rows))


def reads_clock_above(root: Op, below: Op) -> bool:
    """Whether operators above `below` read the clock: stored values of them would have to change with it."""
    own = {id(op) for op in walk(below)}
    return any(clock_calls_of(op) for op in walk(root) if id(op) not in own)
