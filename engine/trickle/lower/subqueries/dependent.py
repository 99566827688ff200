"""Dependent join: a subquery that names outer columns anywhere, computed for every combination of their values.

The distinct outer values are a relation, the domain. It is joined to the rows the subquery reads, and every operator
above passes its columns on: a grouping, an order or a window is computed for each row of the domain.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sqlglot import exp

from trickle.errors import InternalError
from trickle.lower.select.no_rows import over_no_rows
from trickle.lower.session import Session
from trickle.lower.subqueries.correlation import outer_columns, split
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
    UnionAll,
    Window,
)
from trickle.plan.op import Op
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.sql.build import all_of, column, same, substitute

OuterExpressions = Mapping[str, exp.Expr]
"""Outer column in the subquery → the expression over the outer plan."""
DomainColumns = Mapping[str, str]
"""Outer column in the subquery → the domain column of a plan."""


@dataclass(frozen=True)
class Computed:
    """A subquery's rows for every row of the domain, and the domain's columns among them."""

    op: Op
    domain_columns: DomainColumns

    def matches(self, outer_expressions: OuterExpressions) -> list[exp.Expr]:
        """The conditions that match a row with its outer row, null-safe."""
        return [same(outer_expressions[name].copy(), column(own)) for name, own in self.domain_columns.items()]


def computed_for(inner: Op, outer: Op, outer_expressions: OuterExpressions, session: Session) -> Computed:
    """The subquery's rows for each distinct combination of outer values."""
    items = tuple(Named(session.names.fresh(name), Scalar(tree.copy())) for name, tree in outer_expressions.items())
    domain = Distinct(Project(outer, items))
    return Computing(Computed(domain, dict(zip(outer_expressions, domain.schema.names))), session).visit(inner)


class Computing:
    """One subquery over one domain. Shared nodes are computed once."""

    def __init__(self, domain: Computed, session: Session) -> None:
        self._domain = domain
        self._session = session
        self._done: dict[int, tuple[Op, Computed]] = {}

    def visit(self, op: Op) -> Computed:
        """The rows of `op` joined with the domain."""
        if id(op) not in self._done:
            # The plan is kept with the result, so that no other object can get its id.
            self._done[id(op)] = (op, self._computed(op))
        return self._done[id(op)][1]

    def _computed(self, op: Op) -> Computed:
        if not outer_columns(op):
            return self._joined(op, None)
        match op:
            case Filter():
                return self._filtered(op)
            case Project():
                below = self.visit(op.child)
                items = tuple(Named(item.name, self._over(item.value, below)) for item in op.items)
                return Computed(Project(below.op, (*items, *_passed(below))), below.domain_columns)
            case Explode():
                below = self.visit(op.child)
                return replace(below, op=replace(op, child=below.op, generator=self._over(op.generator, below)))
            case Distinct():
                below = self.visit(op.child)
                return replace(below, op=Distinct(below.op))
            case Join():
                return self._join(op)
            case OuterJoin(full=True):
                return self._full_join(op)
            case OuterJoin() | SemiJoin() | MarkJoin():
                return self._left_side_join(op)
            case Aggregate():
                return self._grouped(op)
            case Window():
                return self._windowed(op)
            case TopK():
                below = self.visit(op.child)
                return replace(below, op=numbered(op, below.op, _passed(below), self._session))
            case UnionAll():
                return self._united(op)
            case _:
                raise InternalError(f"{type(op).__name__} cannot name outer columns")

    def _over(self, scalar: Scalar, below: Computed) -> Scalar:
        """An expression with outer columns replaced by domain columns."""
        return Scalar(
            substitute(scalar.tree, {name: column(below.domain_columns.get(name, name)) for name in scalar.columns})
        )

    def _joined(self, op: Op, condition: Scalar | None) -> Computed:
        """Uncorrelated rows joined with the domain on the condition."""
        over = None if condition is None else self._over(condition, self._domain)
        return replace(self._domain, op=Join(self._domain.op, op, over))

    def _filtered(self, op: Filter) -> Computed:
        if not outer_columns(op.child):
            return self._joined(op.child, op.condition)
        below = self.visit(op.child)
        return replace(below, op=Filter(below.op, self._over(op.condition, below)))

    def _join(self, op: Join) -> Computed:
        if op.condition is not None and not outer_columns(op.left) and not outer_columns(op.right):
            local, outer = (all_of(part.copy() for part in parts) for parts in split(op.condition, op.left, op.right))
            joined = Join(op.left, op.right, None if local is None else Scalar(local))
            return self._joined(joined, None if outer is None else Scalar(outer))
        parts = [] if op.condition is None else [op.condition.tree]
        if not outer_columns(op.right):
            left = self.visit(op.left)
            return replace(left, op=Join(left.op, op.right, self._all(parts, left)))
        if not outer_columns(op.left):
            right = self.visit(op.right)
            return replace(right, op=Join(op.left, right.op, self._all(parts, right)))
        left, right = self.visit(op.left), self._with_fresh_domain(self.visit(op.right))
        condition = self._all([*parts, *_same_domain(left, right)], left)
        return self._without_second_domain(Join(left.op, right.op, condition), op, left.domain_columns)

    def _left_side_join(self, op: OuterJoin | SemiJoin | MarkJoin) -> Computed:
        """Joins that preserve the left side: it carries the domain."""
        left = self.visit(op.left)
        parts = [] if op.condition is None else [op.condition.tree]
        if not outer_columns(op.right):
            return replace(left, op=replace(op, left=left.op, condition=self._all(parts, left)))
        right = self._with_fresh_domain(self.visit(op.right))
        condition = self._all([*parts, *_same_domain(left, right)], left)
        return self._without_second_domain(
            replace(op, left=left.op, right=right.op, condition=condition), op, left.domain_columns
        )

    def _full_join(self, op: OuterJoin) -> Computed:
        """FULL JOIN: an unmatched row of either side keeps its domain row."""
        left, right = self.visit(op.left), self._with_fresh_domain(self.visit(op.right))
        parts = [] if op.condition is None else [op.condition.tree]
        joined = replace(
            op, left=left.op, right=right.op, condition=self._all([*parts, *_same_domain(left, right)], left)
        )
        both = {
            self._session.names.fresh(name): exp.Coalesce(
                this=column(own), expressions=[column(right.domain_columns[name])]
            )
            for name, own in left.domain_columns.items()
        }
        items = (*_columns(op), *(Named(name, Scalar(tree)) for name, tree in both.items()))
        return Computed(Project(joined, items), dict(zip(left.domain_columns, both)))

    def _grouped(self, op: Aggregate) -> Computed:
        below = self.visit(op.child)
        fresh = {name: self._session.names.fresh(name) for name in below.domain_columns}
        domain_keys = tuple(Named(fresh[name], column_scalar(own)) for name, own in below.domain_columns.items())
        grouped = Aggregate(below.op, (*op.keys, *domain_keys), op.measures)
        if op.keys:
            return Computed(grouped, fresh)
        # A grouping without keys has a row over no rows, too.
        known = {own: same(column(own), column(fresh[name])) for name, own in self._domain.domain_columns.items()}
        condition = all_of(known.values())
        assert condition is not None
        every = OuterJoin(self._domain.op, grouped, Scalar(condition), full=False)
        values = tuple(Named(measure.name, over_no_rows(column_scalar(measure.name), op)) for measure in op.measures)
        return replace(self._domain, op=Project(every, (*values, *_passed(self._domain))))

    def _windowed(self, op: Window) -> Computed:
        below = self.visit(op.child)
        items = tuple(Named(item.name, self._over(item.value, below)) for item in op.items)
        partition = tuple(Named(key.name, self._over(key.value, below)) for key in op.partition)
        bound = replace(op, partition=partition, items=items)
        return replace(below, op=with_partition_keys(bound, below.op, _passed(below), self._session))

    def _united(self, op: UnionAll) -> Computed:
        fresh = {name: self._session.names.fresh(name) for name in self._domain.domain_columns}
        branches = []
        for branch in op.inputs:
            computed = self.visit(branch)
            names = tuple(Named(fresh[name], column_scalar(own)) for name, own in computed.domain_columns.items())
            branches.append(Project(computed.op, (*_columns(op), *names)))
        return Computed(UnionAll(tuple(branches)), fresh)

    def _with_fresh_domain(self, computed: Computed) -> Computed:
        """The same with fresh names for the domain's columns, for a join of two sides with the domain."""
        fresh = {name: self._session.names.fresh(name) for name in computed.domain_columns}
        own = set(computed.domain_columns.values())
        own_columns = tuple(Named(name, column_scalar(name)) for name in computed.op.schema.names if name not in own)
        renamed = tuple(
            Named(fresh[name], column_scalar(domain_column)) for name, domain_column in computed.domain_columns.items()
        )
        return Computed(Project(computed.op, (*own_columns, *renamed)), fresh)

    def _all(self, parts: list[exp.Expr], below: Computed) -> Scalar | None:
        conjunction = all_of(part.copy() for part in parts)
        return None if conjunction is None else self._over(Scalar(conjunction), below)

    def _without_second_domain(self, joined: Op, op: Op, domain_columns: DomainColumns) -> Computed:
        """The join without the second copy of the domain's columns."""
        return Computed(Project(joined, (*_columns(op), *_named(domain_columns))), domain_columns)


def _passed(computed: Computed) -> tuple[Named, ...]:
    return _named(computed.domain_columns)


def _named(domain_columns: DomainColumns) -> tuple[Named, ...]:
    return tuple(Named(own, column_scalar(own)) for own in domain_columns.values())


def _columns(op: Op) -> tuple[Named, ...]:
    return tuple(Named(name, column_scalar(name)) for name in op.schema.names)


def _same_domain(left: Computed, right: Computed) -> list[exp.Expr]:
    return [same(column(own), column(right.domain_columns[name])) for name, own in left.domain_columns.items()]
