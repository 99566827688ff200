"""Subqueries in expressions: each becomes a column of a join, placed where the expression is evaluated.

EXISTS, IN      a mark, TRUE or FALSE; as a whole condition of WHERE a semi-join or, under NOT, an anti-join
(SELECT …)      a value: of a single row, or of the group of rows that belong to the outer row
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Optional, Union

from sqlglot import exp

from trickle.errors import InvalidView
from trickle.lower.correlation import equalities, names_outer_columns, outer_columns, pull_up, stuck
from trickle.lower.session import Lowered, Session
from trickle.operators import Aggregate, Distinct, Filter, Join, MarkJoin, OuterJoin, Project, SemiJoin
from trickle.plan.functions import EXACT_AGGREGATES
from trickle.plan.op import Op
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.sql.build import all_of, call, case, cast, column, conjuncts, integer, operand, string, substitute
from trickle.sql.text import function_name

Rewrite = Callable[[exp.Expr], exp.Expr]
ZERO_WITHOUT_ROWS = frozenset({"count", "count_if", "regr_count", "approx_count_distinct"})
NULL_WITHOUT_ROWS = EXACT_AGGREGATES - ZERO_WITHOUT_ROWS | {"any_value", "max_by", "min_by", "mode"}
TOO_MANY = "[SCALAR_SUBQUERY_TOO_MANY_ROWS] More than one row returned by a subquery used as an expression."


@dataclass(frozen=True)
class Mark:
    """Whether a row of `right` fulfils the condition."""

    name: str
    right: Op
    condition: Optional[Scalar]

    def over(self, rewrite: Rewrite) -> Mark:
        """The same over a grouping: outer columns become its keys."""
        return self if self.condition is None else replace(self, condition=Scalar(rewrite(self.condition.tree)))

    def needs(self) -> frozenset[str]:
        return frozenset() if self.condition is None else self.condition.columns

    def attached(self, op: Op, _: Session) -> Op:
        return MarkJoin(op, self.right, self.condition, self.name)

    def kept(self, op: Op, anti: bool) -> Op:
        return SemiJoin(op, self.right, self.condition, anti)


@dataclass(frozen=True)
class Value:
    """Values computed from the one row of `right` that belongs to an outer row, or from NULLs where there is none."""

    right: Op
    condition: Optional[Scalar]
    """None: the one row belongs to every outer row."""
    values: tuple[Named, ...]

    def over(self, rewrite: Rewrite) -> Value:
        return self if self.condition is None else replace(self, condition=Scalar(rewrite(self.condition.tree)))

    def needs(self) -> frozenset[str]:
        return frozenset() if self.condition is None else self.condition.columns

    def attached(self, op: Op, _: Session) -> Op:
        if self.condition is None:
            joined: Op = Join(op, self.right, None)
        else:
            joined = OuterJoin(op, self.right, self.condition, full=False)
        return _beside(joined, op, self.values)


@dataclass(frozen=True)
class GroupedValue:
    """Values aggregated from the rows of `right` that fulfil any condition at all with an outer row.

    Grouped by the distinct outer values the condition names, because no expression of the inner side stands for them.
    """

    right: Op
    condition: Scalar
    measures: tuple[Named, ...]
    values: tuple[Named, ...]

    def over(self, rewrite: Rewrite) -> GroupedValue:
        return replace(self, condition=Scalar(rewrite(self.condition.tree)))

    def needs(self) -> frozenset[str]:
        return self.condition.columns

    def attached(self, op: Op, session: Session) -> Op:
        names = [name for name in op.schema.names if name in self.condition.columns]
        asked = [Named(session.names.fresh(name), column_scalar(name)) for name in names]
        domain = Distinct(Project(op, tuple(asked)))
        renamed = {name: column(one.name) for name, one in zip(names, asked)}
        inner = {name: column(name) for name in self.condition.columns if name not in renamed}
        joined = Join(domain, self.right, Scalar(substitute(self.condition.tree, {**renamed, **inner})))
        keys = tuple(Named(session.names.fresh(one.name), column_scalar(one.name)) for one in asked)
        grouped = Aggregate(joined, keys, self.measures)
        matches = all_of(
            exp.NullSafeEQ(this=column(name), expression=column(key.name)) for name, key in zip(names, keys)
        )
        assert matches is not None
        return _beside(OuterJoin(op, grouped, Scalar(matches), full=False), op, self.values)


Pending = Union[Mark, Value, GroupedValue]
"""A subquery whose column is named in an expression, and which is to be joined before that is evaluated."""


def exists(query: Lowered, session: Session) -> exp.Expr:
    """The column that says whether the query has a row."""
    right, pulled = pull_up(query.op, session)
    name = session.names.fresh("found")
    if pulled:
        return _placed(name, Mark(name, right, _condition(pulled)), session)
    # One row says it for all, and when it says the same as before nothing at all has changed.
    some = exp.GT(this=exp.Count(this=exp.Star()), expression=integer(0))
    measure = Named(session.names.fresh("some"), Scalar(some))
    whole = Aggregate(right, (), (measure,))
    return _placed(name, Value(whole, None, (Named(name, column_scalar(measure.name)),)), session)


def among(values: list[exp.Expr], query: Lowered, negated: bool, session: Session) -> exp.Expr:
    """The column for `values IN (query)`; negated: for the IN of a NOT IN, where an unknown match counts as one."""
    if len(values) != len(query.columns):
        message = f"IN compares {len(values)} values with a subquery of {len(query.columns)} columns"
        raise InvalidView(message)
    right, pulled = pull_up(query.op, session)
    # The columns keep their names when conditions are pulled up past them.
    equal: list[exp.Expr] = []
    for value, (_, name) in zip(values, query.columns):
        same = exp.EQ(this=operand(value.copy()), expression=column(name))
        unknown = exp.Is(this=exp.Paren(this=same.copy()), expression=exp.Null())
        equal.append(exp.Or(this=same, expression=unknown) if negated else same)
    name = session.names.fresh("found")
    return _placed(name, Mark(name, right, _condition([*equal, *pulled])), session)


def scalar(query: Lowered, session: Session) -> exp.Expr:
    """The column for `(SELECT …)` as a value."""
    if len(query.columns) != 1:
        raise InvalidView(f"a subquery that stands for a value must have one column, not {len(query.columns)}")
    name = session.names.fresh("subquery")
    aggregate, value = _single(query, session)
    return _placed(name, _aggregated(aggregate, (Named(name, value),), session), session)


def beside_groups(left: Op, plan: Op, wanted: tuple[str, ...], session: Session) -> Optional[Op]:
    """LATERAL (SELECT aggregates …): each row beside the one row that a grouping of everything always gives."""
    found = _peeled(plan)
    if found is None or found[2]:
        return None
    aggregate, outputs, _ = found
    values = tuple(Named(name, outputs[name]) for name in wanted)
    return _aggregated(aggregate, values, session).attached(left, session)


def _aggregated(aggregate: Aggregate, values: tuple[Named, ...], session: Session) -> Union[Value, GroupedValue]:
    """A grouping of everything that names outer columns, as a grouping by what must equal them."""
    right, pulled = pull_up(aggregate.child, session)
    if names_outer_columns(aggregate, right):
        raise stuck()
    if not pulled:
        return Value(replace(aggregate, child=right), None, values)
    filled = tuple(Named(one.name, _over_no_rows(one.value, aggregate)) for one in values)
    pairs = equalities(pulled, right, session)
    if pairs is None:
        condition = _condition(pulled)
        assert condition is not None
        return GroupedValue(right, condition, aggregate.measures, filled)
    keys = tuple(Named(session.names.fresh("belongs_to"), Scalar(pair.inner.copy())) for pair in pairs)
    matches = _condition(pair.to(key.name) for key, pair in zip(keys, pairs))
    return Value(Aggregate(right, keys, aggregate.measures), matches, filled)


def attach(op: Op, trees: Iterable[exp.Expr], session: Session) -> Op:
    """The plan with a column for every subquery the expressions name and it does not have yet."""
    needed = _needed(trees, session)
    for name in list(session.pending):
        if name in needed and name not in op.schema.names:
            op = session.pending[name].attached(op, session)
    return op


def keep_rows(op: Op, condition: exp.Expr, session: Session) -> Op:
    """WHERE and HAVING: the plain conditions first, then each that asks a subquery."""
    parts = conjuncts(condition)
    plain = all_of(part.copy() for part in parts if not _needed([part], session))
    if plain is not None:
        op = Filter(op, Scalar(plain))
    for part in parts:
        if not _needed([part], session):
            continue
        mark, anti = _whole_mark(part, session)
        if mark is not None:
            op = attach(op, [column(name) for name in mark.needs()], session)
            op = mark.kept(op, anti)
        else:
            op = Filter(attach(op, [part], session), Scalar(part))
    return op


def _needed(trees: Iterable[exp.Expr], session: Session) -> set[str]:
    """The pending columns of the expressions, and those their own conditions name."""
    names = {node.name for tree in trees for node in tree.find_all(exp.Column) if node.name in session.pending}
    more = {inner for name in names for inner in session.pending[name].needs() if inner in session.pending}
    return names | (_needed([column(name) for name in more], session) if more else set())


def _whole_mark(part: exp.Expr, session: Session) -> tuple[Optional[Mark], bool]:
    """The mark that is the whole condition, and whether it stands under NOT."""
    anti = False
    while isinstance(part, (exp.Paren, exp.Not)):
        anti = anti != isinstance(part, exp.Not)
        part = part.this
    found = session.pending.get(part.name) if isinstance(part, exp.Column) else None
    return (found, anti) if isinstance(found, Mark) else (None, anti)


def _placed(name: str, pending: Pending, session: Session) -> exp.Expr:
    session.pending[name] = pending
    return column(name)


def _condition(parts: Iterable[exp.Expr]) -> Optional[Scalar]:
    together = all_of(part.copy() for part in parts)
    return None if together is None else Scalar(together)


def _beside(joined: Op, op: Op, added: tuple[Named, ...]) -> Op:
    return Project(joined, (*(Named(name, column_scalar(name)) for name in op.schema.names), *added))


def _single(query: Lowered, session: Session) -> tuple[Aggregate, Scalar]:
    """The query as one grouping of everything and a value over its measures."""
    found = _peeled(query.op)
    (_, name) = query.columns[0]
    if found is not None:
        aggregate, outputs, conditions = found
        shown = all_of(condition.tree.copy() for condition in conditions)
        value = outputs[name]
        return aggregate, value if shown is None else Scalar(case(shown, value.place(), exp.Null()))
    rows = Named(session.names.fresh("rows"), Scalar(exp.Count(this=exp.Star())))
    one = Named(session.names.fresh("value"), Scalar(call("ANY_VALUE", column(name))))
    many = exp.GT(this=column(rows.name), expression=integer(1))
    value = Scalar(case(many, call("RAISE_ERROR", string(TOO_MANY)), column(one.name)))
    return Aggregate(query.op, (), (rows, one)), value


def _peeled(op: Op) -> Optional[tuple[Aggregate, dict[str, Scalar], list[Scalar]]]:
    """A grouping without keys under projections and filters: its output columns and conditions over its measures."""
    match op:
        case Aggregate(keys=()):
            return op, {name: column_scalar(name) for name in op.schema.names}, []
        case Project() | Filter() if (below := _peeled(op.child)) is not None:
            aggregate, outputs, conditions = below
            if outer_columns(op) - outer_columns(op.child):
                return None
            if isinstance(op, Filter):
                return aggregate, outputs, [*conditions, op.condition.over(outputs)]
            return aggregate, {item.name: item.value.over(outputs) for item in op.items}, conditions
        case _:
            return None


def _over_no_rows(value: Scalar, aggregate: Aggregate) -> Scalar:
    """The value where no row belongs to the outer one: counts are 0, as over an empty table, everything else NULL."""
    values: dict[str, exp.Expr] = {}
    for measure in aggregate.measures:
        tree = measure.value.tree
        name = function_name(tree.this if isinstance(tree, exp.Filter) else tree)
        own = column(measure.name)
        if name in ZERO_WITHOUT_ROWS:
            values[measure.name] = exp.Coalesce(this=own, expressions=[cast(integer(0), "bigint")])
        elif name in NULL_WITHOUT_ROWS:
            values[measure.name] = own
        else:
            raise stuck()
    return Scalar(substitute(value.tree, values))
