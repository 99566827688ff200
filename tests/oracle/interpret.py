"""The oracle: what a plan means, by nested loops over small bags. It knows SQL, and nothing of deltas.

Dull on purpose. A relation is a Z-set; a join multiplies weights, a union adds them, a grouping counts them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cmp_to_key
from typing import cast

from sqlglot import exp
from typing_extensions import assert_never

from tests.oracle.aggregates import evaluate_measure
from tests.oracle.database import Database, Source
from tests.oracle.scalars import evaluate
from tests.oracle.windows import compare_rows, window_value
from tests.oracle.zset import Row, Value, ZSet, bag, zset
from trickle.operators import (
    Accumulate,
    Aggregate,
    AnyOp,
    ClockDelta,
    Consolidate,
    Distinct,
    Empty,
    Explode,
    Feed,
    Filter,
    Join,
    Lookup,
    MarkJoin,
    Moment,
    Negate,
    OuterJoin,
    Project,
    Recompute,
    Recursion,
    Restrict,
    Scan,
    SemiJoin,
    SourceColumn,
    Stored,
    StoredRecursion,
    TopK,
    TouchedKeys,
    UnionAll,
    Values,
    Window,
    Within,
    Working,
)
from trickle.plan.op import Op
from trickle.plan.ranges import Ranges
from trickle.plan.scalar import Named, Scalar
from trickle.plan.schema import WEIGHT

MOST_ROUNDS = 20


def interpret(root: Op, database: Database) -> ZSet:
    """The rows of a plan with their weights. Shared sub-plans are evaluated once."""
    return Interpreter(database).rows(root)


class Interpreter:
    """One database and what has been evaluated over it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._done: dict[int, tuple[Op, ZSet]] = {}

    def rows(self, op: Op) -> ZSet:
        if id(op) not in self._done:
            result = self._evaluate(cast(AnyOp, _at(op, self._database.clock)))
            if not op.signed and not result.is_bag:
                raise AssertionError(f"{type(op).__name__} calls itself unsigned but has removed rows:\n{result}")
            self._done[id(op)] = (op, result)
        return self._done[id(op)][1]

    def _evaluate(self, op: AnyOp) -> ZSet:
        match op:
            case Scan() | Feed():
                return self._read(op)
            case Stored() | Recompute() | StoredRecursion() | Working():
                return self._given(op)
            case Recursion():
                return self._recursion(op)
            case Empty():
                return zset(())
            case Values():
                return bag(tuple(evaluate(value.tree, {}) for value in row) for row in op.rows)
            case Filter() | Within():
                return zset(pair for pair in self.rows(op.child) if self._holds(op, pair[0]))
            case Project():
                return zset((_tuple(op.items, named(op.child, row)), weight) for row, weight in self.rows(op.child))
            case Explode():
                return self._explode(op)
            case UnionAll():
                return zset(pair for child in op.inputs for pair in self.rows(child))
            case Negate():
                return -self.rows(op.child)
            case ClockDelta():
                return self._moved(op)
            case Consolidate():
                return self.rows(op.child)
            case Join():
                return self._join(op)
            case SemiJoin() | MarkJoin() | OuterJoin():
                return self._matched(op)
            case Restrict():
                keys = {row for row, _ in self.rows(op.keys)}
                order = [next(key for key in op.by if key.name == name) for name in op.keys.schema.names]
                return zset(p for p in self.rows(op.child) if _tuple(order, named(op.child, p[0])) in keys)
            case TouchedKeys():
                return _once(_tuple(op.keys, named(op.child, row)) for row, _ in self.rows(op.child))
            case Distinct():
                return _once(row for row, _ in self._bag(op.child))
            case Aggregate():
                return self._aggregate(op)
            case Window():
                return self._window(op)
            case TopK():
                return self._first(op)
            case Accumulate():
                return self._accumulate(op)
            case Lookup():
                return self._lookup(op)
            case _:
                assert_never(op)

    def _given(self, op: Stored | Recompute | StoredRecursion | Working) -> ZSet:
        """Rows that stand neither in a source nor in the plan."""
        match op:
            case Stored():
                return self._database.stored
            case Recompute():
                return self._database.recomputed
            case StoredRecursion():
                return self._database.kept[op.name]
            case Working():
                return self._database.working[op.name]

    def _holds(self, op: Filter | Within, row: Row) -> bool:
        if isinstance(op, Within):
            return _lies_in(named(op.child, row)[op.column], op.ranges)
        return evaluate(op.condition.tree, named(op.child, row)) is True

    def _moved(self, op: ClockDelta) -> ZSet:
        """The rows that one condition takes, less those that the other does."""
        before, after = (Filter(op.child, condition) for condition in (op.before, op.after))
        taken = (lambda row: self._holds(before, row), lambda row: self._holds(after, row))
        return zset((row, weight * (taken[1](row) - taken[0](row))) for row, weight in self.rows(op.child))

    def _bag(self, op: Op) -> ZSet:
        """The rows of an input that counts rows: removals have no place in it."""
        found = self.rows(op)
        if not found.is_bag:
            raise AssertionError(f"a grouping reads removed rows:\n{found}")
        return found

    def _read(self, op: Scan | Feed) -> ZSet:
        """A source at a moment, or what it gained and lost between the two."""
        source = self._database.sources[op.source]
        if isinstance(op, Feed):
            return _columns(source, op.columns, source.after - source.before)
        return _columns(source, op.columns, source.after if op.at is Moment.AFTER else source.before)

    def _matched(self, op: SemiJoin | MarkJoin | OuterJoin) -> ZSet:
        """Joins that ask whether a left row has any match."""
        if isinstance(op, OuterJoin):
            return self._outer_join(op)
        matched = {left for left, _, _ in self._pairs(op)}
        if isinstance(op, MarkJoin):
            return zset(((*row, row in matched), weight) for row, weight in self.rows(op.left))
        return zset(pair for pair in self.rows(op.left) if (pair[0] in matched) != op.anti)

    def _pairs(self, op: Join | OuterJoin | SemiJoin | MarkJoin) -> list[tuple[Row, Row, int]]:
        """Left row, right row and their weights' product, for every pair the condition holds for."""
        condition = None if op.condition is None else op.condition.tree
        found: list[tuple[Row, Row, int]] = []
        for left, left_weight in self.rows(op.left):
            for right, right_weight in self.rows(op.right):
                values = {**named(op.left, left), **named(op.right, right)}
                if condition is None or evaluate(condition, values) is True:
                    found.append((left, right, left_weight * right_weight))
        return found

    def _join(self, op: Join) -> ZSet:
        return zset((left + right, weight) for left, right, weight in self._pairs(op))

    def _outer_join(self, op: OuterJoin) -> ZSet:
        """Every pair, and each row of a kept side that is in none beside NULLs."""
        pairs = self._pairs(op)
        lefts, rights = {left for left, _, _ in pairs}, {right for _, right, _ in pairs}
        rows = [(left + right, weight) for left, right, weight in pairs]
        beside = (None,) * len(op.right.schema)
        rows += [(left + beside, weight) for left, weight in self.rows(op.left) if left not in lefts]
        if op.full:
            before = (None,) * len(op.left.schema)
            rows += [(before + right, weight) for right, weight in self.rows(op.right) if right not in rights]
        return zset(rows)

    def _aggregate(self, op: Aggregate) -> ZSet:
        """One row a group, and one row for no rows when there are no keys."""
        groups: dict[Row, list[tuple[dict[str, Value], int]]] = {} if op.keys else {(): []}
        for row, count in self._bag(op.child):
            values = named(op.child, row)
            (key,) = bag([_tuple(op.keys, values)]).weights
            groups.setdefault(key, []).append((values, count))
        return bag(key + _tuple_of(op.measures, group) for key, group in groups.items())

    def _recursion(self, op: Recursion) -> ZSet:
        """The anchor, the step over the anchor, the step over that, until nothing comes."""
        found = last = self.rows(op.anchor)
        for _ in range(MOST_ROUNDS):
            if not last.weights:
                return found
            seen = replace(self._database, working={**self._database.working, op.working: last})
            last = interpret(op.step, seen)
            found = found + last
        raise AssertionError(f"a recursion does not end in {MOST_ROUNDS} rounds")

    def _explode(self, op: Explode) -> ZSet:
        """Each row once for each element of the array its generator names."""
        (elements,) = op.generator.tree.expressions

        def made(values: dict[str, Value]) -> list[Value]:
            parts = [evaluate(element, values) for element in elements.expressions]
            if isinstance(elements, exp.Anonymous) and elements.name == "SEQUENCE":
                first, last = parts
                return list(range(first, last + 1))  # type: ignore[operator, arg-type]
            return parts

        return zset(
            ((*row, element), weight) for row, weight in self.rows(op.child) for element in made(named(op.child, row))
        )

    def _first(self, op: TopK) -> ZSet:
        """The rows in order, ties by every column; then those between offset and limit."""
        order = [item.tree() for item in op.total_order]
        rows = [named(op.child, row) for row in self._bag(op.child).rows()]
        rows.sort(key=cmp_to_key(lambda one, other: compare_rows(order, one, other)))
        return bag(tuple(row.values()) for row in rows[op.offset : op.offset + op.limit])

    def _window(self, op: Window) -> ZSet:
        """Each row beside what its partition's rows say of it."""
        partitions: dict[Row, list[dict[str, Value]]] = {}
        for row in self._bag(op.child).rows():
            values = named(op.child, row)
            (key,) = bag([_tuple(op.partition, values)]).weights
            partitions.setdefault(key, []).append(values)
        return bag(
            tuple(rows[place].values()) + tuple(window_value(item.value.tree, rows, place) for item in op.items)
            for rows in partitions.values()
            for place in range(len(rows))
        )

    def _accumulate(self, op: Accumulate) -> ZSet:
        """Measures over weighted rows: the weight is a column like any other."""
        groups: dict[Row, list[tuple[dict[str, Value], int]]] = {} if op.keys else {(): []}
        for row, weight in self.rows(op.child):
            values = named(op.child, row)
            (key,) = bag([_tuple(op.keys, values)]).weights
            copies = (1, weight) if op.child.signed else (weight, 1)
            groups.setdefault(key, []).append(({**values, WEIGHT: copies[1]}, copies[0]))
        found = [(key, _tuple_of(op.measures, group)) for key, group in groups.items()]
        return bag(
            key + moved for key, moved in found if not op.drops_zero or any(one not in (0, None) for one in moved)
        )

    def _lookup(self, op: Lookup) -> ZSet:
        """Each key beside the rows that have it, or beside NULLs."""
        pairs: list[tuple[Row, int]] = []
        for key, weight in self.rows(op.keys):
            wanted = named(op.keys, key)
            found = [
                (key + row, weight * count)
                for row, count in self.rows(op.rows)
                if all(wanted[one] == named(op.rows, row)[other] for one, other in op.pairs)
            ]
            pairs += found or [(key + (None,) * len(op.rows.schema), weight)]
        return zset(pairs)


def _at(op: Op, clock: tuple[int, int]) -> Op:
    """The operator with what the clock says in place of every question to it."""

    def told(value: object) -> object:
        match value:
            case Scalar():
                return Scalar(value.tree.transform(answer))
            case Named():
                return Named(value.name, Scalar(value.value.tree.transform(answer)))
            case tuple():
                return tuple(told(part) for part in value)
            case _:
                return value

    def answer(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.Anonymous) or node.name != "CLOCK":
            return node
        words = [word.this for word in node.expressions]
        return exp.Literal.number(clock["before" not in words])

    if not any(scalar.tree.find(exp.Anonymous) for scalar in op.scalars()):
        return op
    return replace(op, **{item.name: told(getattr(op, item.name)) for item in fields(op)})


def named(op: Op, row: Row) -> dict[str, Value]:
    """A row of an operator by column name."""
    return dict(zip(op.schema.names, row))


def _lies_in(value: Value, wanted: Ranges) -> bool:
    if value is None:
        return wanted.null
    return any(low <= value <= high for low, high in wanted.intervals)  # type: ignore[operator]


def _tuple(items: tuple[Named, ...] | list[Named], values: Mapping[str, Value]) -> Row:
    return tuple(evaluate(item.value.tree, values) for item in items)


def _tuple_of(measures: tuple[Named, ...], group: list[tuple[dict[str, Value], int]]) -> Row:
    return tuple(evaluate_measure(item.value.tree, group) for item in measures)


def _once(rows: object) -> ZSet:
    return ZSet(dict.fromkeys(bag(rows).weights, 1))  # type: ignore[arg-type]


def _columns(source: Source, columns: tuple[SourceColumn, ...], rows: ZSet) -> ZSet:
    places = [source.columns.index(column.source) for column in columns]
    return zset((tuple(row[place] for place in places), weight) for row, weight in rows)
