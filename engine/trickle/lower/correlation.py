"""Correlation: the conditions of a subquery that name outer columns, pulled up to where both sides can be seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Optional

from sqlglot import exp

from trickle.errors import Unsupported
from trickle.lower.session import Session
from trickle.operators import Aggregate, Distinct, Filter, Join, MarkJoin, OuterJoin, Project, SemiJoin
from trickle.plan.op import Op, walk
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.plan.types import compares_exactly, type_of
from trickle.reasons import reason
from trickle.sql.build import all_of, column, conjuncts, operand, substitute

Pulled = tuple[Op, tuple[exp.Expr, ...]]
"""A plan that names no outer column, and the conditions over its columns and outer ones that it stands under."""


def outer_columns(root: Op) -> frozenset[str]:
    """The columns a plan names that nothing in it exposes."""
    found: set[str] = set()
    for op in walk(root):
        exposed = {name for child in op.children for name in child.schema.names}
        found |= {name for scalar in op.scalars() for name in scalar.columns if name not in exposed}
    return frozenset(found)


def pull_up(op: Op, session: Session) -> Pulled:
    """Lift correlated conditions through filters, projections, joins and groupings; refuses what they cannot pass."""
    if not outer_columns(op):
        return op, ()
    match op:
        case Filter():
            child, pulled = pull_up(op.child, session)
            local, outer = _split(op.condition, op.child)
            return _filtered(child, local), (*pulled, *outer)
        case Project():
            return _through_projection(op, session)
        case Join():
            left, from_left = pull_up(op.left, session)
            right, from_right = pull_up(op.right, session)
            local, outer = ([], []) if op.condition is None else _split(op.condition, op.left, op.right)
            condition = all_of(local)
            joined = Join(left, right, None if condition is None else Scalar(condition))
            return joined, (*from_left, *from_right, *outer)
        case OuterJoin(full=False) | SemiJoin() | MarkJoin() if _only_left(op):
            left, pulled = pull_up(op.left, session)
            return op.rebuild((left, op.right)), pulled
        case Distinct():
            child, pulled = pull_up(op.child, session)
            return Distinct(child), pulled
        case Aggregate() if op.keys:
            return _through_grouping(op, session)
        case _:
            raise stuck()


def stuck() -> Unsupported:
    return Unsupported([reason("correlated_subquery")])


@dataclass(frozen=True)
class Equality:
    """inner = outer, or inner <=> outer: an expression of the subquery that must equal one of the outer query."""

    inner: exp.Expr
    outer: exp.Expr
    null_safe: bool

    def to(self, key: str) -> exp.Expr:
        """The same condition on a key that holds the inner side."""
        kind = exp.NullSafeEQ if self.null_safe else exp.EQ
        return kind(this=column(key), expression=operand(self.outer.copy()))


def equalities(pulled: Iterable[exp.Expr], inner: Op, session: Session) -> Optional[list[Equality]]:
    """The conditions as equalities by which the inner rows can be grouped; None when one is anything else."""
    found = [_equality(tree, inner, session.outer.types() if session.outer else {}) for tree in pulled]
    return None if None in found else [one for one in found if one is not None]


def _equality(tree: exp.Expr, op: Op, outer_types: Mapping[str, str]) -> Optional[Equality]:
    names = set(op.schema.names)
    if not isinstance(tree, (exp.EQ, exp.NullSafeEQ)):
        return None
    for inner, outer in ((tree.left, tree.right), (tree.right, tree.left)):
        mine = {node.name for node in inner.find_all(exp.Column)}
        others = {node.name for node in outer.find_all(exp.Column)}
        types = type_of(inner, {one.name: one.type for one in op.schema}), type_of(outer, outer_types)
        if mine and mine <= names and not others & names and compares_exactly(*types):
            return Equality(inner, outer, isinstance(tree, exp.NullSafeEQ))
    return None


def names_outer_columns(op: Op, child: Op) -> bool:
    """Whether the operator's own expressions still name what `child` does not show."""
    return any(not scalar.columns <= set(child.schema.names) for scalar in op.scalars())


def _split(condition: Scalar, *children: Op) -> tuple[list[exp.Expr], list[exp.Expr]]:
    exposed = {name for child in children for name in child.schema.names}
    local: list[exp.Expr] = []
    outer: list[exp.Expr] = []
    for part in conjuncts(condition.tree):
        own = all(node.name in exposed for node in part.find_all(exp.Column))
        (local if own else outer).append(part)
    return local, outer


def _filtered(child: Op, local: list[exp.Expr]) -> Op:
    condition = all_of(part.copy() for part in local)
    return child if condition is None else Filter(child, Scalar(condition))


def _only_left(op: OuterJoin | SemiJoin | MarkJoin) -> bool:
    exposed = {*op.left.schema.names, *op.right.schema.names}
    own = op.condition is None or op.condition.columns <= exposed
    return own and not outer_columns(op.right)


def _through_projection(op: Project, session: Session) -> Pulled:
    child, pulled = pull_up(op.child, session)
    if any(not item.value.columns <= set(child.schema.names) for item in op.items):
        raise stuck()
    shown = {item.value.column_name: item.name for item in op.items if item.value.column_name}
    items = list(op.items)
    for name in sorted({node.name for tree in pulled for node in tree.find_all(exp.Column)} & set(child.schema.names)):
        if name not in shown:
            shown[name] = session.names.fresh(name)
            items.append(Named(shown[name], column_scalar(name)))
    return Project(child, tuple(items)), tuple(_renamed(tree, shown) for tree in pulled)


def _through_grouping(op: Aggregate, session: Session) -> Pulled:
    """An inner expression that must equal an outer one is one more key."""
    child, pulled = pull_up(op.child, session)
    pairs = equalities(pulled, child, session)
    if pairs is None or names_outer_columns(op, child):
        raise stuck()
    keys = tuple(Named(session.names.fresh("belongs_to"), Scalar(pair.inner.copy())) for pair in pairs)
    conditions = tuple(pair.to(key.name) for key, pair in zip(keys, pairs))
    return replace(op, child=child, keys=(*op.keys, *keys)), conditions


def _renamed(tree: exp.Expr, names: dict[str, str]) -> exp.Expr:
    columns = {node.name for node in tree.find_all(exp.Column)}
    return substitute(tree, {name: column(names.get(name, name)) for name in columns})
