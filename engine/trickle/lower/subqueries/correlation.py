"""Correlation: pulls up the conditions of a subquery that name outer columns, to a join with the outer query."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Optional

from sqlglot import exp

from trickle.lower.session import Session
from trickle.lower.windows.ranking import numbered, with_partition_keys
from trickle.operators import (
    Aggregate,
    Distinct,
    Explode,
    Filter,
    Join,
    MarkJoin,
    OuterJoin,
    Project,
    SemiJoin,
    TopK,
    Window,
)
from trickle.plan.expression_types import expression_type
from trickle.plan.op import Op, walk
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.sql.build import all_of, column, conjuncts, operand, substitute
from trickle.types import compares_exactly

Pulled = tuple[Op, tuple[exp.Expr, ...]]
"""A plan without outer columns, and the conditions over its columns and outer ones."""


def outer_columns(root: Op) -> frozenset[str]:
    """The columns that a plan names and does not expose."""
    names: set[str] = set()
    for op in walk(root):
        exposed = {name for child in op.children for name in child.schema.names}
        names |= {name for scalar in op.scalars() for name in scalar.columns if name not in exposed}
    return frozenset(names)


def pull_up(op: Op, session: Session) -> Optional[Pulled]:
    """Pull correlated conditions up through the plan; None where an operator does not allow it."""
    if not outer_columns(op):
        return op, ()
    match op:
        case Filter():
            return _through_filter(op, session)
        case Project():
            return _through_projection(op, session)
        case Join():
            return _through_join(op, session)
        case OuterJoin(full=False) | SemiJoin() | MarkJoin() if _only_left(op):
            return _rebuilt(op, pull_up(op.left, session), op.right)
        case Explode() if not names_outer_columns(op, op.child):
            return _rebuilt(op, pull_up(op.child, session))
        case Distinct():
            return _rebuilt(op, pull_up(op.child, session))
        case Aggregate() if op.keys:
            return _through_grouping(op, session)
        case Window():
            return _through_window(op, session)
        case TopK():
            return _through_order(op, session)
        case _:
            return None


@dataclass(frozen=True)
class Equality:
    """inner = outer, or inner <=> outer: an expression of the subquery equal to one of the outer query."""

    inner: exp.Expr
    outer: exp.Expr
    null_safe: bool

    def to(self, key: str) -> exp.Expr:
        """The same condition over a key column with the inner side's value."""
        kind = exp.NullSafeEQ if self.null_safe else exp.EQ
        return kind(this=column(key), expression=operand(self.outer.copy()))


def equalities(pulled: Iterable[exp.Expr], inner: Op, session: Session) -> Optional[list[Equality]]:
    """The conditions as equalities by which the inner rows can be grouped; None when any is not an equality."""
    pairs = [_equality(tree, inner, session.outer.types() if session.outer else {}) for tree in pulled]
    return None if None in pairs else [pair for pair in pairs if pair is not None]


def _equality(tree: exp.Expr, op: Op, outer_types: Mapping[str, str]) -> Optional[Equality]:
    names = set(op.schema.names)
    if not isinstance(tree, (exp.EQ, exp.NullSafeEQ)):
        return None
    for inner, outer in ((tree.left, tree.right), (tree.right, tree.left)):
        mine = {node.name for node in inner.find_all(exp.Column)}
        others = {node.name for node in outer.find_all(exp.Column)}
        own_types = {schema_column.name: schema_column.type for schema_column in op.schema}
        types = expression_type(inner, own_types), expression_type(outer, outer_types)
        if mine and mine <= names and not others & names and compares_exactly(*types):
            return Equality(inner, outer, isinstance(tree, exp.NullSafeEQ))
    return None


def names_outer_columns(op: Op, child: Op) -> bool:
    """Whether the operator's own expressions name columns that `child` does not expose."""
    return any(not scalar.columns <= set(child.schema.names) for scalar in op.scalars())


def split(condition: Scalar, *children: Op) -> tuple[list[exp.Expr], list[exp.Expr]]:
    """The conjuncts over the children's columns only, and those with other columns."""
    exposed = {name for child in children for name in child.schema.names}
    local: list[exp.Expr] = []
    outer: list[exp.Expr] = []
    for part in conjuncts(condition.tree):
        own = all(node.name in exposed for node in part.find_all(exp.Column))
        (local if own else outer).append(part)
    return local, outer


def _rebuilt(op: Op, below: Optional[Pulled], *others: Op) -> Optional[Pulled]:
    return None if below is None else (op.rebuild((below[0], *others)), below[1])


def _through_filter(op: Filter, session: Session) -> Optional[Pulled]:
    below = pull_up(op.child, session)
    if below is None:
        return None
    local, outer = split(op.condition, op.child)
    return _filtered(below[0], local), (*below[1], *outer)


def _through_join(op: Join, session: Session) -> Optional[Pulled]:
    left, right = pull_up(op.left, session), pull_up(op.right, session)
    if left is None or right is None:
        return None
    local, outer = ([], []) if op.condition is None else split(op.condition, op.left, op.right)
    condition = all_of(local)
    joined = Join(left[0], right[0], None if condition is None else Scalar(condition))
    return joined, (*left[1], *right[1], *outer)


def _filtered(child: Op, local: list[exp.Expr]) -> Op:
    condition = all_of(part.copy() for part in local)
    return child if condition is None else Filter(child, Scalar(condition))


def _only_left(op: OuterJoin | SemiJoin | MarkJoin) -> bool:
    exposed = {*op.left.schema.names, *op.right.schema.names}
    own = op.condition is None or op.condition.columns <= exposed
    return own and not outer_columns(op.right)


def _through_projection(op: Project, session: Session) -> Optional[Pulled]:
    below = pull_up(op.child, session)
    if below is None or names_outer_columns(op, op.child):
        return None
    child, pulled = below
    shown = {item.value.column_name: item.name for item in op.items if item.value.column_name}
    items = list(op.items)
    for name in sorted({node.name for tree in pulled for node in tree.find_all(exp.Column)} & set(child.schema.names)):
        if name not in shown:
            shown[name] = session.names.fresh(name)
            items.append(Named(shown[name], column_scalar(name)))
    return Project(child, tuple(items)), tuple(_renamed(tree, shown) for tree in pulled)


def _keyed(op: Op, child: Op, session: Session) -> Optional[tuple[Op, tuple[Named, ...], tuple[exp.Expr, ...]]]:
    """The child without its correlated conditions, the inner sides of their equalities as keys, and the conditions
    over these keys."""
    below = pull_up(child, session)
    if below is None or names_outer_columns(op, child):
        return None
    pairs = equalities(below[1], below[0], session)
    if pairs is None:
        return None
    keys = tuple(Named(session.names.fresh("belongs_to"), Scalar(pair.inner.copy())) for pair in pairs)
    return below[0], keys, tuple(pair.to(key.name) for key, pair in zip(keys, pairs))


def _through_grouping(op: Aggregate, session: Session) -> Optional[Pulled]:
    """The inner side of each equality becomes a key."""
    keyed = _keyed(op, op.child, session)
    if keyed is None:
        return None
    child, keys, conditions = keyed
    return replace(op, child=child, keys=(*op.keys, *keys)), conditions


def _through_window(op: Window, session: Session) -> Optional[Pulled]:
    """The inner side of each equality becomes a partition key."""
    keyed = _keyed(op, op.child, session)
    if keyed is None:
        return None
    child, keys, conditions = keyed
    placed = tuple(Named(key.name, column_scalar(key.name)) for key in keys)
    return with_partition_keys(op, _with_columns(child, keys), placed, session), conditions


def _through_order(op: TopK, session: Session) -> Optional[Pulled]:
    """The first rows for each combination of the inner sides."""
    keyed = _keyed(op, op.child, session)
    if keyed is None:
        return None
    child, keys, conditions = keyed
    placed = tuple(Named(key.name, column_scalar(key.name)) for key in keys)
    return numbered(op, _with_columns(child, keys), placed, session), conditions


def _with_columns(child: Op, added: tuple[Named, ...]) -> Op:
    return Project(child, (*(Named(name, column_scalar(name)) for name in child.schema.names), *added))


def _renamed(tree: exp.Expr, names: dict[str, str]) -> exp.Expr:
    columns = {node.name for node in tree.find_all(exp.Column)}
    return substitute(tree, {name: column(names.get(name, name)) for name in columns})
