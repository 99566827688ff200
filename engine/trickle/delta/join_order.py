"""join_order: in which order the terms of a change meet their tables, and which of them they meet together.

A row is taken to meet as many rows of a table as that has rows for each value of the columns that are equal. How many
values there are is not known: no more than the smallest of the tables whose columns they are has rows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from trickle.operators import Filter, Join, Project, UnionAll, Within
from trickle.plan.op import Op
from trickle.plan.row_counts import RowCounts
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.render.fan_out import equal_columns, rows_of, source_of
from trickle.sql.build import all_of, conjuncts

LEFT_OVER = 0.2
"""The share of a table's rows that is taken to fulfil a condition: a guess, which only orders joins."""


@dataclass(frozen=True)
class Term:
    """Relations that are joined, and the conditions their rows must fulfil together."""

    relations: tuple[Op, ...]
    conditions: tuple[exp.Expr, ...] = ()

    def where(self, condition: Scalar | None) -> Term:
        more = () if condition is None else tuple(conjuncts(condition.tree))
        return Term(self.relations, (*self.conditions, *more))

    def __add__(self, other: Term) -> Term:
        return Term((*self.relations, *other.relations), (*self.conditions, *other.conditions))


def joined_terms(terms: Sequence[Term], names: tuple[str, ...], counts: RowCounts) -> Op:
    """The union of the terms, with these columns.

    Each term begins at its change. Tables that no term needs to connect its changed ones are met by all terms together.
    """
    common = frozenset[int].intersection(*(frozenset(map(id, term.relations)) for term in terms))
    started = [_Joining.of(term, counts) for term in terms]
    if len(started) > 1:
        for joining in started:
            joining.join_while(lambda relation: id(relation) not in common)
        bridges = {id(relation) for joining in started for relation in joining.met} & common
        for joining in started:
            joining.join_while(lambda relation: id(relation) in bridges)
        if len({joining.rest for joining in started}) == 1:
            own = tuple(joining.joined for joining in started)
            together = started[0]
            shared = tuple(name for name in together.joined.schema.names)
            together.joined = UnionAll(tuple(_with_columns(op, shared) for op in own))
            started = [together]
    for joining in started:
        joining.join_while(lambda relation: True)
    every = [_with_columns(joining.whole, names) for joining in started]
    return every[0] if len(every) == 1 else UnionAll(tuple(every))


@dataclass
class _Joining:
    """What is joined so far, from the change on, and what waits."""

    joined: Op
    waiting: list[Op]
    conditions: list[exp.Expr]
    distinct: Mapping[str, float]
    counts: RowCounts
    met: list[Op] = field(default_factory=list)

    @classmethod
    def of(cls, term: Term, counts: RowCounts) -> _Joining:
        change = next((relation for relation in term.relations if relation.signed), term.relations[0])
        waiting = [relation for relation in term.relations if relation is not change]
        conditions = list(term.conditions)
        joining = cls(change, waiting, conditions, _distinct_values(term, counts), counts)
        joining.joined = joining.filtered(change)
        return joining

    @property
    def rest(self) -> tuple[frozenset[str], frozenset[int], tuple[str, ...]]:
        """All that matters to whoever goes on from here."""
        texts = tuple(sorted(Scalar(part).text for part in self.conditions))
        return frozenset(self.joined.schema.names), frozenset(map(id, self.waiting)), texts

    @property
    def whole(self) -> Op:
        return _where(self.joined, self.conditions)

    def join_while(self, wanted: Callable[[Op], bool]) -> None:
        """Join until none of the wanted relations waits; others only where the wanted ones are not connected."""
        while any(wanted(relation) for relation in self.waiting):
            nearest = min(self.waiting, key=lambda relation: self.distance(relation, wanted(relation)))
            self.waiting = [relation for relation in self.waiting if relation is not nearest]
            self.met.append(nearest)
            relation = self.filtered(nearest)
            on = self.taken({*self.joined.schema.names, *relation.schema.names})
            self.joined = Join(self.joined, relation, _all(on))

    def filtered(self, relation: Op) -> Op:
        """The relation with the conditions that it decides about alone."""
        return _where(relation, self.taken(set(relation.schema.names)))

    def taken(self, names: Collection[str]) -> list[exp.Expr]:
        """The conditions over these columns, which need not be checked later."""
        ready = [part for part in self.conditions if (columns := _columns(part)) and columns <= set(names)]
        self.conditions = [part for part in self.conditions if part not in ready]
        return ready

    def distance(self, relation: Op, wanted: bool) -> tuple[bool, bool, float, float]:
        """Tables without an equality come last; then those that fewest rows of are met."""
        ours, theirs = set(self.joined.schema.names), set(relation.schema.names)
        between = [part for part in self.conditions if (named := _columns(part)) & ours and named & theirs]
        equalities = [part for part in between if _is_equality(part) and _columns(part) <= ours | theirs]
        pairs = equal_columns(_all(equalities), self.joined, relation)
        rows = rows_of(relation, self.counts)
        size = float("inf") if rows is None else rows
        met = size if not equalities else self.met_by(pairs, rows)
        own = len([part for part in self.conditions if _columns(part) <= set(relation.schema.names)])
        return not equalities, not wanted, met * LEFT_OVER ** (own + _conditions(relation)), size

    def met_by(self, pairs: Iterable[tuple[str, str]], rows: float | None) -> float:
        """How many rows of a table a row of the change meets."""
        values = [self.distinct[other] for _, other in pairs if other in self.distinct]
        return 1.0 if rows is None or not values else max(1.0, rows / max(values))


def _distinct_values(term: Term, counts: RowCounts) -> dict[str, float]:
    """Column → how many values it can have at most, by the tables whose columns equal it."""
    values: dict[str, float] = {}
    for relation in term.relations:
        for name in relation.schema.names:
            source = source_of(relation, name)
            rows = None if source is None else counts.tables.get(source)
            if rows:
                values[name] = rows
    equal = [part for part in term.conditions if _is_equality(part)]
    pairs = [(part.left.name, part.right.name) for part in equal if isinstance(part, exp.Binary) and _is_plain(part)]
    for _ in pairs:
        for left, right in pairs:
            if left in values and right in values:
                values[left] = values[right] = min(values[left], values[right])
    return values


def _is_equality(part: exp.Expr) -> bool:
    return isinstance(part, (exp.EQ, exp.NullSafeEQ))


def _is_plain(part: exp.Binary) -> bool:
    return isinstance(part.left, exp.Column) and isinstance(part.right, exp.Column)


def _with_columns(op: Op, names: tuple[str, ...]) -> Op:
    if op.schema.names == names:
        return op
    return Project(op, tuple(Named(name, column_scalar(name)) for name in names))


def _conditions(op: Op) -> int:
    """How many conditions lie on a relation."""
    match op:
        case Filter():
            return len(conjuncts(op.condition.tree)) + _conditions(op.child)
        case Project() | Within():
            return _conditions(op.child)
        case _:
            return 0


def _where(op: Op, conditions: Sequence[exp.Expr]) -> Op:
    condition = _all(conditions)
    return op if condition is None else Filter(op, condition)


def _all(parts: Iterable[exp.Expr]) -> Scalar | None:
    tree = all_of(part.copy() for part in parts)
    return None if tree is None else Scalar(tree)


def _columns(part: exp.Expr) -> set[str]:
    return {node.name for node in part.find_all(exp.Column)}
