"""MarkJoin: EXISTS and IN as a value: under OR, in CASE, in the SELECT list. It adds a column of TRUE or FALSE."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Optional

from sqlglot import exp

from trickle.operators.semi_join import rematch_delta
from trickle.plan.change import Change
from trickle.plan.expression_types import expression_type
from trickle.plan.op import Linearity, Op
from trickle.plan.scalar import Scalar
from trickle.plan.schema import WEIGHT, Column, Schema
from trickle.sql.block import Block, closed_block
from trickle.sql.build import all_of, column, conjuncts, not_null, operand, subquery, union_all
from trickle.types import compares_exactly

MATCH = "__trickle_found"
MATCH_KEY = "__trickle_found_key_"


@dataclass(frozen=True, eq=False)
class MarkJoin(Op):
    """SELECT *, EXISTS (SELECT … FROM right WHERE condition) AS mark FROM left.

    Δ(L m R) = ΔL m R′ − A m R + A m R′,  A = L ⋉ ΔR: the previous left rows that a changed right row matches.
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
        return rematch_delta(self, self.condition, *changes)

    def block(self, inputs: tuple[Block, ...]) -> Block:
        """As joins: nested EXISTS in a SELECT list break Spark's optimizer."""
        left, right = inputs
        keys = self._keys()
        query = self._by_both_joins(left, right) if keys is None else self._by_keys(left, right, keys)
        return closed_block(query, self.schema.names, WEIGHT if self.signed else None)

    def _keys(self) -> Optional[list[tuple[exp.Expr, exp.Expr, type[exp.Expr]]]]:
        """The condition as equalities (left side, right side, operator) if all of it is; else None."""
        lefts, rights = set(self.left.schema.names), set(self.right.schema.names)
        keys: list[tuple[exp.Expr, exp.Expr, type[exp.Expr]]] = []
        for part in conjuncts(self.condition.tree) if self.condition is not None else []:
            if not isinstance(part, (exp.EQ, exp.NullSafeEQ)):
                return None
            sides = [part.left, part.right]
            named = [{node.name for node in side.find_all(exp.Column)} for side in sides]
            if named[0] <= rights and named[0] and named[1] <= lefts:
                sides, named = sides[::-1], named[::-1]
            if not (named[0] <= lefts and named[1] <= rights and named[1]):
                return None
            types = {item.name: item.type for item in (*self.left.schema, *self.right.schema)}
            if not compares_exactly(expression_type(sides[0], types), expression_type(sides[1], types)):
                return None
            keys.append((sides[0], sides[1], type(part)))
        return keys or None

    def _by_keys(self, left: Block, right: Block, keys: list[tuple[exp.Expr, exp.Expr, type[exp.Expr]]]) -> exp.Query:
        """LEFT JOIN with the distinct keys of the right side: a left row matches at most one of them."""
        names = [f"{MATCH_KEY}{index + 1}" for index in range(len(keys))]
        key_columns = {name: right.define(side) for name, (_, side, _) in zip(names, keys)}
        distinct = replace(right, outputs={**key_columns, MATCH: exp.true()}, weight=None).select("")
        distinct.set("distinct", exp.Distinct())
        matches = all_of(
            comparison(this=operand(left.define(side)), expression=column(name, MATCH))
            for name, (side, _, comparison) in zip(names, keys)
        )
        lookup = Block({}, None, subquery(distinct, MATCH))
        mark = not_null(column(MATCH, MATCH))
        preserved = replace(left, hints=())
        return preserved.joined(lookup, "LEFT", matches, {**left.outputs, self.mark: mark}).select(WEIGHT)

    def _by_both_joins(self, left: Block, right: Block) -> exp.Query:
        """The rows with a match, marked TRUE, and the rows without, marked FALSE."""
        both = left.projected({**left.outputs, **right.outputs})
        matches = exp.true() if self.condition is None else both.define(self.condition.tree)
        preserved = replace(left, hints=())
        halves = [
            preserved.joined(right, kind, matches.copy(), {**left.outputs, self.mark: exp.Boolean(this=matched)})
            for kind, matched in (("LEFT SEMI", True), ("LEFT ANTI", False))
        ]
        return union_all([half.select(WEIGHT) for half in halves])
