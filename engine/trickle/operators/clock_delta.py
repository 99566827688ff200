"""ClockDelta: the rows that match or stop matching a condition because time has passed. Only deltas contain it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Optional

from sqlglot import exp

from trickle.functions import facts_of
from trickle.plan.clock import clock_calls
from trickle.plan.op import Linearity, Op
from trickle.plan.scalar import Scalar
from trickle.plan.schema import Schema
from trickle.sql.block import Block, multiply
from trickle.sql.build import all_of, call, case, cast, integer, operand
from trickle.sql.text import function_name


@dataclass(frozen=True, eq=False)
class ClockDelta(Op):
    """σ′(R) − σ(R): rows of child that only `after` matches have weight +1, rows that only `before` matches −1.

    Where the condition compares a column with the clock, these rows lie between the old and the new bound, a range
    that Spark can look up.
    """

    child: Op
    before: Scalar
    after: Scalar
    linearity: ClassVar[Linearity] = Linearity.LINEAR

    @property
    def schema(self) -> Schema:
        return self.child.schema

    @property
    def signed(self) -> bool:
        return True

    @property
    def has_range(self) -> bool:
        """Whether the rows lie in a range of a column, so that the others need not be read."""
        return bool(_edges(self.before.tree, self.after.tree))

    def scalars(self) -> tuple[Scalar, ...]:
        return (self.before, self.after)

    def block(self, inputs: tuple[Block, ...]) -> Block:
        (child,) = inputs
        matches = [
            exp.Coalesce(this=condition.tree_copy(), expressions=[exp.false()])
            for condition in (self.before, self.after)
        ]
        differs = exp.NEQ(this=matches[0], expression=matches[1])
        condition = all_of([*_edges(self.before.tree, self.after.tree), differs])
        assert condition is not None
        sign = case(child.define(matches[1]), cast(integer(1), "int"), cast(integer(-1), "int"))
        return replace(child.filtered(child.define(condition)), weight=multiply(child.weight, sign))


def _edges(before: exp.Expr, after: exp.Expr) -> list[exp.Expr]:
    """The range in which a row's value must lie for the comparison to have changed; [] where none is known."""
    sides = _sides(after)
    earlier = _sides(before)
    if sides is None or earlier is None:
        return []
    value, bound = sides
    least, greatest = (call(name, earlier[1].copy(), bound.copy()) for name in ("LEAST", "GREATEST"))
    return [exp.Between(this=operand(value.copy()), low=least, high=greatest)]


def _sides(tree: exp.Expr) -> Optional[tuple[exp.Expr, exp.Expr]]:
    """A comparison as (the row's value, the bound by the clock); None where it has no such form."""
    if not isinstance(tree, (exp.GT, exp.GTE, exp.LT, exp.LTE)):
        return None
    for own, bound in ((tree.left, tree.right), (tree.right, tree.left)):
        if clock_calls(own):
            continue
        if _is_bound(bound):
            return own, bound
        days = _days_between(bound) if isinstance(own, exp.Literal) and own.is_int else None
        if days is not None:
            value, edge, sign = days
            return cast(value.copy(), "date"), call("DATE_SUB" if sign > 0 else "DATE_ADD", edge.copy(), own.copy())
    return None


def _is_bound(tree: exp.Expr) -> bool:
    """Whether an expression consists of clock calls and constants only, and is never NULL."""
    match tree:
        case exp.Paren():
            return _is_bound(tree.this)
        case exp.Literal() | exp.Interval() | exp.Var():
            return True
        case exp.Add() | exp.Sub():
            return _is_bound(tree.left) and _is_bound(tree.right)
        case exp.Anonymous() if clock_calls(tree):
            own = len(clock_calls(tree)) == 1 and not any(part.find(exp.Anonymous) for part in tree.expressions)
            return own or (
                facts_of(function_name(tree)).null_only_from_null and all(_is_bound(part) for part in tree.expressions)
            )
        case _:
            return False


def _days_between(tree: exp.Expr) -> Optional[tuple[exp.Expr, exp.Expr, int]]:
    """DATEDIFF of a row's date and a bound: the row's side, the bound, and the sign; None for any other tree."""
    if function_name(tree) not in ("datediff", "date_diff") or len(tree.expressions) != 2:
        return None
    end, start = tree.expressions
    if _is_bound(end) and clock_calls(end) and not clock_calls(start):
        return start, end, 1
    if _is_bound(start) and clock_calls(start) and not clock_calls(end):
        return end, start, -1
    return None
