"""join_order: in which order the terms of a change meet their tables, and which of them they meet together.

A row is taken to meet as many rows of a table as that has rows for each value of the columns that are equal. How many
values there are is not known: no more than the smallest of the tables whose columns they are has rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from trickle.operators import Filter, Join, Project, UnionAll, Within
from trickle.operators.project import selecting
from trickle.plan.equalities import columns_of, equal_columns, equality
from trickle.plan.op import Op
from trickle.plan.row_counts import RowCounts
from trickle.plan.scalar import Scalar, all_hold, parts_of
from trickle.render.fan_out import RowEstimates, rows_met, table_rows

LEFT_OVER = 0.2
"""The share of a table's rows that is taken to fulfil a condition: a guess, which only orders joins."""


@dataclass(frozen=True)
class Term:
    """Relations that are joined, and the conditions their rows must fulfil together."""

    relations: tuple[Op, ...]
    conditions: tuple[Scalar, ...] = ()

    def where(self, condition: Scalar | None) -> Term:
        return Term(self.relations, (*self.conditions, *parts_of(condition)))

    def __add__(self, other: Term) -> Term:
        return Term((*self.relations, *other.relations), (*self.conditions, *other.conditions))


def joined_terms(terms: Sequence[Term], names: tuple[str, ...], counts: RowCounts) -> Op:
    """The union of the terms, with these columns.

    Each term begins at its change. Tables that no term needs to connect its changed ones are met by all terms together.
    """
    common = frozenset[int].intersection(*(frozenset(map(id, term.relations)) for term in terms))
    rows = RowEstimates(counts)
    started = [_Joining.of(term, _distinct_values(term, counts), rows) for term in terms]
    if len(started) > 1:
        for joining in started:
            joining.join_while(lambda relation: id(relation) not in common)
        bridges = {id(relation) for joining in started for relation in joining.met} & common
        for joining in started:
            joining.join_while(lambda relation: id(relation) in bridges)
        if len({joining.rest for joining in started}) == 1:
            own = tuple(joining.joined for joining in started)
            together = started[0]
            shared = together.joined.schema.names
            together.joined = UnionAll(tuple(selecting(op, shared) for op in own))
            started = [together]
    for joining in started:
        joining.join_while(lambda relation: True)
    every = [selecting(joining.whole, names) for joining in started]
    return every[0] if len(every) == 1 else UnionAll(tuple(every))


@dataclass
class _Joining:
    """What is joined so far, from the change on, and what waits."""

    joined: Op
    waiting: list[Op]
    conditions: list[Scalar]
    distinct: Mapping[str, float]
    rows: RowEstimates
    met: list[Op] = field(default_factory=list)

    @classmethod
    def of(cls, term: Term, distinct: Mapping[str, float], rows: RowEstimates) -> _Joining:
        change = next((relation for relation in term.relations if relation.signed), term.relations[0])
        waiting = [relation for relation in term.relations if relation is not change]
        joining = cls(change, waiting, list(term.conditions), distinct, rows)
        joining.joined = joining.filtered(change)
        return joining

    @property
    def rest(self) -> tuple[frozenset[str], frozenset[int], tuple[str, ...]]:
        """All that matters to whoever goes on from here."""
        texts = tuple(sorted(part.text for part in self.conditions))
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
            on = self.taken(frozenset((*self.joined.schema.names, *relation.schema.names)))
            self.joined = Join(self.joined, relation, all_hold(on))

    def filtered(self, relation: Op) -> Op:
        """The relation with the conditions that it decides about alone."""
        return _where(relation, self.taken(frozenset(relation.schema.names)))

    def taken(self, names: frozenset[str]) -> list[Scalar]:
        """The conditions over these columns, which need not be checked later."""
        ready = [part for part in self.conditions if part.columns and part.columns <= names]
        self.conditions = [part for part in self.conditions if not part.columns or not part.columns <= names]
        return ready

    def distance(self, relation: Op, wanted: bool) -> tuple[bool, bool, float, float]:
        """Tables without an equality come last; then those that fewest rows of are met."""
        ours, theirs = frozenset(self.joined.schema.names), frozenset(relation.schema.names)
        between = [part for part in self.conditions if part.columns & ours and part.columns & theirs]
        equal = [part for part in between if equality(part) is not None and part.columns <= ours | theirs]
        rows = self.rows.of(relation)
        size = float("inf") if rows is None else rows
        met = size if not equal else self.met_by(equal, relation, rows)
        own = len([part for part in self.conditions if part.columns <= theirs])
        return not equal, not wanted, met * LEFT_OVER ** (own + _conditions(relation)), size

    def met_by(self, equal: Iterable[Scalar], relation: Op, rows: float | None) -> float:
        """How many rows of a table a row of the change meets; one where nothing is known."""
        pairs = equal_columns(equal, self.joined.schema, relation.schema)
        met = rows_met((rows, self.distinct.get(pair.other)) for pair in pairs)
        return 1.0 if met is None else met


def _distinct_values(term: Term, counts: RowCounts) -> dict[str, float]:
    """Column → how many values it can have at most, by the tables whose columns equal it."""
    values: dict[str, float] = {}
    for relation in term.relations:
        for name in relation.schema.names:
            rows = table_rows(relation, name, counts)
            if rows:
                values[name] = rows
    equal = [pair for pair in map(equality, term.conditions) if pair is not None]
    pairs = [columns for columns in map(columns_of, equal) if columns is not None]
    for _ in pairs:
        for pair in pairs:
            if pair.mine in values and pair.other in values:
                values[pair.mine] = values[pair.other] = min(values[pair.mine], values[pair.other])
    return values


def _conditions(op: Op) -> int:
    """How many conditions lie on a relation."""
    match op:
        case Filter():
            return len(op.condition.parts) + _conditions(op.child)
        case Project() | Within():
            return _conditions(op.child)
        case _:
            return 0


def _where(op: Op, parts: Iterable[Scalar]) -> Op:
    condition = all_hold(parts)
    return op if condition is None else Filter(op, condition)
