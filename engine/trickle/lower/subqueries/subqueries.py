"""Subqueries in expressions: each becomes a column of a join below the expression.

EXISTS, IN      a mark, TRUE or FALSE; as a whole condition of WHERE a semijoin or, under NOT, an antijoin
(SELECT …)      a value: of a single row, or of the group of rows that match the outer row
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Optional, Union

from sqlglot import exp

from trickle.errors import InvalidView, Position
from trickle.lower.select.no_rows import over_no_rows
from trickle.lower.select.ordering import existence_plan
from trickle.lower.session import Lowered, Session
from trickle.lower.subqueries.correlation import equalities, outer_columns, pull_up
from trickle.lower.subqueries.dependent import computed_for
from trickle.lower.windows.ranking import FIRST, first_by
from trickle.operators import Aggregate, Filter, Join, MarkJoin, OuterJoin, Project, SemiJoin, TopK
from trickle.plan.op import Op
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.sql.build import all_of, call, case, cast, column, conjuncts, identifier, integer, operand, string

Rewrite = Callable[[exp.Expr], exp.Expr]
TOO_MANY = "[SCALAR_SUBQUERY_TOO_MANY_ROWS] More than one row returned by a subquery used as an expression."


@dataclass(frozen=True)
class Lifted:
    """Rows without outer columns, and the conditions that match them with an outer row."""

    op: Op
    conditions: tuple[exp.Expr, ...] = ()

    def over(self, rewrite: Rewrite) -> Lifted:
        return replace(self, conditions=tuple(rewrite(part) for part in self.conditions))

    def needs(self) -> frozenset[str]:
        return frozenset(node.name for part in self.conditions for node in part.find_all(exp.Column))

    def joined_to(self, _: Op, __: Session) -> Lifted:
        return self


@dataclass(frozen=True)
class Dependent:
    """Rows computed for each combination of outer values."""

    op: Op
    outer_expressions: Mapping[str, exp.Expr]

    def over(self, rewrite: Rewrite) -> Dependent:
        return replace(self, outer_expressions={name: rewrite(tree) for name, tree in self.outer_expressions.items()})

    def needs(self) -> frozenset[str]:
        return frozenset(node.name for tree in self.outer_expressions.values() for node in tree.find_all(exp.Column))

    def joined_to(self, outer: Op, session: Session) -> Lifted:
        computed = computed_for(self.op, outer, self.outer_expressions, session)
        return Lifted(computed.op, tuple(computed.matches(self.outer_expressions)))


Rows = Union[Lifted, Dependent]


def rows_of(op: Op, session: Session) -> Rows:
    """A subquery's rows: lifted if its correlated conditions can be pulled up, else dependent."""
    lifted = pull_up(op, session)
    return dependent(op) if lifted is None else Lifted(*lifted)


def dependent(op: Op) -> Dependent:
    return Dependent(op, {name: column(name) for name in sorted(outer_columns(op))})


@dataclass(frozen=True)
class Mark:
    """Whether an outer row has a matching row."""

    name: str
    rows: Rows
    condition: tuple[exp.Expr, ...] = ()
    unknown: Optional[bool] = None
    """For IN: whether an UNKNOWN match counts as a match. None for EXISTS, which is never UNKNOWN."""

    def over(self, rewrite: Rewrite) -> Mark:
        """The mark over a grouping: outer columns become its keys."""
        return replace(self, rows=self.rows.over(rewrite), condition=tuple(rewrite(part) for part in self.condition))

    def needs(self) -> frozenset[str]:
        return self.rows.needs() | {node.name for part in self.condition for node in part.find_all(exp.Column)}

    def attached(self, op: Op, session: Session) -> Op:
        right, condition = self._right(op, session)
        return MarkJoin(op, right, condition, self.name)

    def filtered(self, op: Op, anti: bool, session: Session) -> Op:
        right, condition = self._right(op, session)
        return SemiJoin(op, right, condition, anti)

    def _right(self, op: Op, session: Session) -> tuple[Op, Optional[Scalar]]:
        rows = self.rows.joined_to(op, session)
        return rows.op, _condition([*self.condition, *rows.conditions])


@dataclass(frozen=True)
class Value:
    """Values computed from the one row that matches an outer row, or from NULLs where there is none."""

    rows: Lifted
    """Without conditions: the one row matches every outer row."""
    values: tuple[Named, ...]
    single: Optional[exp.Expr] = None
    """A condition for every outer row, which raises an error where there is more than one row."""

    def over(self, rewrite: Rewrite) -> Value:
        return replace(self, rows=self.rows.over(rewrite))

    def needs(self) -> frozenset[str]:
        return self.rows.needs()

    def attached(self, op: Op, _: Session) -> Op:
        return _with_values(op, self.rows, self.values, self.single)


@dataclass(frozen=True)
class GroupedValue:
    """Values aggregated from the rows that match an outer row, grouped by the outer values.

    Needed where no expression of the inner side equals those values.
    """

    rows: Dependent
    measures: tuple[Named, ...]
    values: tuple[Named, ...]
    single: Optional[exp.Expr] = None

    def over(self, rewrite: Rewrite) -> GroupedValue:
        return replace(self, rows=self.rows.over(rewrite))

    def needs(self) -> frozenset[str]:
        return self.rows.needs()

    def attached(self, op: Op, session: Session) -> Op:
        computed = computed_for(self.rows.op, op, self.rows.outer_expressions, session)
        fresh = {name: session.names.fresh(name) for name in computed.domain_columns}
        keys = tuple(Named(fresh[name], column_scalar(own)) for name, own in computed.domain_columns.items())
        grouped = replace(computed, op=Aggregate(computed.op, keys, self.measures), domain_columns=fresh)
        return _with_values(
            op, Lifted(grouped.op, tuple(grouped.matches(self.rows.outer_expressions))), self.values, self.single
        )


def _with_values(op: Op, rows: Lifted, values: tuple[Named, ...], single: Optional[exp.Expr]) -> Op:
    condition = _condition(rows.conditions)
    joined: Op = Join(op, rows.op, None) if condition is None else OuterJoin(op, rows.op, condition, full=False)
    if single is not None:
        joined = Filter(joined, Scalar(single.copy()))
    own_columns = tuple(Named(name, column_scalar(name)) for name in op.schema.names)
    return Project(joined, (*own_columns, *values))


Pending = Union[Mark, Value, GroupedValue]
"""A subquery whose column is named in an expression, and which must be joined before that is evaluated."""


def exists(query: Lowered, session: Session) -> exp.Expr:
    """The column for EXISTS (query)."""
    op, skipped = existence_plan(query.op)
    # With an OFFSET the number of rows matters, for each outer row.
    rows = rows_of(query.op if skipped and outer_columns(op) else op, session)
    name = session.names.fresh("found")
    if rows.needs():
        return _register(name, Mark(name, rows), session)
    # A single row holds the result for all outer rows; where it is unchanged, the delta is empty.
    some = exp.GT(this=exp.Count(this=exp.Star()), expression=integer(skipped))
    measure = Named(session.names.fresh("some"), Scalar(some))
    whole = Aggregate(rows.op, (), (measure,))
    return _register(name, Value(Lifted(whole), (Named(name, column_scalar(measure.name)),)), session)


def membership(
    values: list[exp.Expr], query: Lowered, negated: bool, session: Session, position: Optional[Position]
) -> exp.Expr:
    """The column for `values IN (query)`; negated: for NOT IN, where an UNKNOWN match counts as a match."""
    if len(values) != len(query.columns):
        message = f"IN compares {len(values)} values with a subquery of {len(query.columns)} columns"
        raise InvalidView(message, position)
    # The columns keep their names when conditions are pulled up past them.
    equal: list[exp.Expr] = []
    for value, (_, name) in zip(values, query.columns):
        same = exp.EQ(this=operand(value.copy()), expression=column(name))
        unknown = exp.Is(this=exp.Paren(this=same.copy()), expression=exp.Null())
        equal.append(exp.Or(this=same, expression=unknown) if negated else same)
    name = session.names.fresh("found")
    return _register(name, Mark(name, rows_of(query.op, session), tuple(equal), negated), session)


def scalar(query: Lowered, session: Session, position: Optional[Position]) -> exp.Expr:
    """The column for `(SELECT …)` as a value."""
    if len(query.columns) != 1:
        raise InvalidView(f"a scalar subquery must have one column, not {len(query.columns)}", position)
    name = session.names.fresh("subquery")
    aggregate, value, single = _single(query, session)
    return _register(name, _aggregated(aggregate, (Named(name, value),), single, session), session)


def join_grouped_rows(left: Op, plan: Op, wanted: tuple[str, ...], session: Session) -> Optional[Op]:
    """LATERAL (SELECT aggregates …): each row joined with the one row of a grouping without keys."""
    split = _split_projections(plan)
    if split is None or split[2]:
        return None
    aggregate, outputs, _ = split
    values = tuple(Named(name, outputs[name]) for name in wanted)
    return _aggregated(aggregate, values, None, session).attached(left, session)


def _aggregated(
    aggregate: Aggregate, values: tuple[Named, ...], single: Optional[exp.Expr], session: Session
) -> Union[Value, GroupedValue]:
    """A correlated grouping without keys, as a grouping by the expressions equal to outer columns."""
    lifted = pull_up(aggregate.child, session)
    if lifted is not None and not lifted[1]:
        return Value(Lifted(replace(aggregate, child=lifted[0])), values, single)
    filled = tuple(Named(value.name, over_no_rows(value.value, aggregate)) for value in values)
    pairs = None if lifted is None else equalities(lifted[1], lifted[0], session)
    if lifted is None or pairs is None:
        return GroupedValue(dependent(aggregate.child), aggregate.measures, filled, single)
    keys = tuple(Named(session.names.fresh("belongs_to"), Scalar(pair.inner.copy())) for pair in pairs)
    matches = tuple(pair.to(key.name) for key, pair in zip(keys, pairs))
    return Value(Lifted(Aggregate(lifted[0], keys, aggregate.measures), matches), filled, single)


def attach(op: Op, trees: Iterable[exp.Expr], session: Session) -> Op:
    """The plan joined with every subquery that the expressions name and that it does not have yet."""
    needed = _needed(trees, session)
    for name in list(session.pending):
        if name in needed and name not in op.schema.names:
            op = session.pending[name].attached(op, session)
    return op


def keep_rows(op: Op, condition: exp.Expr, session: Session) -> Op:
    """WHERE and HAVING: the conditions without subqueries first, then the others."""
    parts = conjuncts(condition)
    plain = all_of(part.copy() for part in parts if not _needed([part], session))
    if plain is not None:
        op = Filter(op, Scalar(plain))
    for part in parts:
        if not _needed([part], session):
            continue
        mark, anti = _whole_mark(part, session)
        if (bounds := _bounds(part, session)) is not None:
            op = SemiJoin(op, bounds, Scalar(part), anti=False)
        elif mark is not None:
            op = attach(op, [column(name) for name in mark.needs()], session)
            op = mark.filtered(op, anti, session)
        else:
            op = Filter(attach(op, [part], session), Scalar(part))
    return op


def _bounds(part: exp.Expr, session: Session) -> Optional[Op]:
    """One row with all values of a condition's subqueries, if all of them are uncorrelated; else None."""
    names = sorted({node.name for node in part.find_all(exp.Column) if node.name in session.pending})
    rows: Optional[Op] = None
    for name in names:
        pending = session.pending[name]
        if not isinstance(pending, Value) or pending.needs() or pending.single is not None:
            return None
        row = Project(pending.rows.op, pending.values)
        rows = row if rows is None else Join(rows, row, None)
    return rows


def _needed(trees: Iterable[exp.Expr], session: Session) -> set[str]:
    """The pending columns of the expressions and, transitively, of their conditions."""
    names = {node.name for tree in trees for node in tree.find_all(exp.Column) if node.name in session.pending}
    more = {inner for name in names for inner in session.pending[name].needs() if inner in session.pending}
    return names | (_needed([column(name) for name in more], session) if more else set())


def _whole_mark(part: exp.Expr, session: Session) -> tuple[Optional[Mark], bool]:
    """The mark if the condition is nothing else, and whether it is under NOT."""
    anti = False
    while isinstance(part, (exp.Paren, exp.Not)):
        anti = anti != isinstance(part, exp.Not)
        part = part.this
    pending = session.pending.get(part.name) if isinstance(part, exp.Column) else None
    return (pending, anti) if isinstance(pending, Mark) else (None, anti)


def _register(name: str, pending: Pending, session: Session) -> exp.Expr:
    session.pending[name] = pending
    return column(name)


def _condition(parts: Iterable[exp.Expr]) -> Optional[Scalar]:
    conjunction = all_of(part.copy() for part in parts)
    return None if conjunction is None else Scalar(conjunction)


def _first(query: Lowered, session: Session) -> Optional[tuple[Aggregate, Scalar]]:
    """(SELECT x … ORDER BY y LIMIT 1) as an aggregate: the x of the first y."""
    top, (_, name) = query.op, query.columns[0]
    if not isinstance(top, TopK) or top.limit != 1 or top.offset:
        return None
    by = first_by(top.order or top.total_order, column(name))
    if by is None:
        return None
    first = Named(session.names.fresh("first"), Scalar(by))
    return Aggregate(top.child, (), (first,)), Scalar(exp.Dot(this=column(first.name), expression=identifier(FIRST)))


def _single(query: Lowered, session: Session) -> tuple[Aggregate, Scalar, Optional[exp.Expr]]:
    """The query as a grouping without keys, a value over its measures, and a condition that fails for several rows."""
    split = _split_projections(query.op)
    (_, name) = query.columns[0]
    if split is not None:
        aggregate, outputs, conditions = split
        shown = all_of(condition.tree.copy() for condition in conditions)
        value = outputs[name]
        return aggregate, value if shown is None else Scalar(case(shown, value.tree_copy(), exp.Null())), None
    if (first := _first(query, session)) is not None:
        return *first, None
    rows = Named(session.names.fresh("rows"), Scalar(exp.Count(this=exp.Star())))
    any_value = Named(session.names.fresh("value"), Scalar(call("ANY_VALUE", column(name))))
    many = exp.GT(this=column(rows.name), expression=integer(1))
    failed = cast(call("RAISE_ERROR", string(TOO_MANY)), "boolean")
    return Aggregate(query.op, (), (rows, any_value)), column_scalar(any_value.name), case(many, failed, exp.true())


def _split_projections(op: Op) -> Optional[tuple[Aggregate, dict[str, Scalar], list[Scalar]]]:
    """A grouping without keys below projections and filters, with outputs and conditions over its measures."""
    match op:
        case Aggregate(keys=()):
            return op, {name: column_scalar(name) for name in op.schema.names}, []
        case Project() | Filter() if (below := _split_projections(op.child)) is not None:
            aggregate, outputs, conditions = below
            if outer_columns(op) - outer_columns(op.child):
                return None
            if isinstance(op, Filter):
                return aggregate, outputs, [*conditions, op.condition.over(outputs)]
            return aggregate, {item.name: item.value.over(outputs) for item in op.items}, conditions
        case _:
            return None
