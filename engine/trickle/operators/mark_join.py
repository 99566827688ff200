"""MarkJoin: EXISTS and IN where a value is wanted: under OR, in CASE, in the SELECT list. It adds a TRUE or FALSE."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Optional

from sqlglot import exp

from trickle.operators.semi_join import judged_again
from trickle.plan.change import Change
from trickle.plan.expression_types import expression_type
from trickle.plan.op import Linearity, Op
from trickle.plan.scalar import Scalar
from trickle.plan.schema import WEIGHT, Column, Schema
from trickle.sql.block import Block, closed_block
from trickle.sql.build import all_of, column, conjuncts, not_null, operand, subquery, union_all
from trickle.types import compares_exactly

FOUND = "__trickle_found"
KEY = "__trickle_found_key_"


@dataclass(frozen=True, eq=False)
class MarkJoin(Op):
    """SELECT *, EXISTS (SELECT … FROM right WHERE condition) AS mark FROM left.

    Δ(L m R) = ΔL m R′ − A m R + A m R′,  A = L ⋉ ΔR: the old left rows that a changed right row matches.
    """

    left: Op
    right: Op
    condition: Optional[Scalar]
    mark: str
    linearity: ClassVar[Linearity] = Linearity.NONLINEAR
    reads_closed: ClassVar[bool] = True

    @cached_property
    def schema(self) -> Schema:
        return Schema((*self.left.schema.columns, Column(self.mark, "boolean")))

    @property
    def signed(self) -> bool:
        return self.left.signed

    def scalars(self) -> tuple[Scalar, ...]:
        return () if self.condition is None else (self.condition,)

    def delta(self, changes: tuple[Change, ...]) -> Op:
        return judged_again(self, self.condition, *changes)

    def block(self, inputs: tuple[Block, ...]) -> Block:
        """Spark's own EXISTS in a SELECT list breaks its optimizer when such queries nest, so it is spelt as joins."""
        left, right = inputs
        keys = self._keys()
        query = self._by_both_joins(left, right) if keys is None else self._by_keys(left, right, keys)
        return closed_block(query, self.schema.names, WEIGHT if self.signed else None)

    def _keys(self) -> Optional[list[tuple[exp.Expr, exp.Expr, type[exp.Expr]]]]:
        """The condition as equalities (left side, right side, how) of which each left row meets one; else None."""
        lefts, rights = set(self.left.schema.names), set(self.right.schema.names)
        found: list[tuple[exp.Expr, exp.Expr, type[exp.Expr]]] = []
        for part in conjuncts(self.condition.tree) if self.condition is not None else []:
            if not isinstance(part, (exp.EQ, exp.NullSafeEQ)):
                return None
            sides = [part.left, part.right]
            named = [{node.name for node in side.find_all(exp.Column)} for side in sides]
            if named[0] <= rights and named[0] and named[1] <= lefts:
                sides, named = sides[::-1], named[::-1]
            if not (named[0] <= lefts and named[1] <= rights and named[1]):
                return None
            types = {one.name: one.type for one in (*self.left.schema, *self.right.schema)}
            if not compares_exactly(expression_type(sides[0], types), expression_type(sides[1], types)):
                return None
            found.append((sides[0], sides[1], type(part)))
        return found or None

    def _by_keys(self, left: Block, right: Block, keys: list[tuple[exp.Expr, exp.Expr, type[exp.Expr]]]) -> exp.Query:
        """LEFT JOIN with the distinct keys of the right side: a left row meets one of them at most."""
        names = [f"{KEY}{place + 1}" for place in range(len(keys))]
        some = {name: right.define(side) for name, (_, side, _) in zip(names, keys)}
        distinct = replace(right, outputs={**some, FOUND: exp.true()}, weight=None).select("")
        distinct.set("distinct", exp.Distinct())
        matches = all_of(
            how(this=operand(left.define(side)), expression=column(name, FOUND))
            for name, (side, _, how) in zip(names, keys)
        )
        other = Block({}, None, subquery(distinct, FOUND))
        mark = not_null(column(FOUND, FOUND))
        kept = replace(left, hints=())
        return kept.joined(other, "LEFT", matches, {**left.outputs, self.mark: mark}).select(WEIGHT)

    def _by_both_joins(self, left: Block, right: Block) -> exp.Query:
        """The rows that have a match, marked TRUE, and those that have none, marked FALSE."""
        both = left.projected({**left.outputs, **right.outputs})
        matches = exp.true() if self.condition is None else both.define(self.condition.tree)
        kept = replace(left, hints=())
        halves = [
            kept.joined(right, kind, matches.copy(), {**left.outputs, self.mark: exp.Boolean(this=found)})
            for kind, found in (("LEFT SEMI", True), ("LEFT ANTI", False))
        ]
        return union_all([half.select(WEIGHT) for half in halves])
