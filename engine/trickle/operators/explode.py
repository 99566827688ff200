"""Explode: rows made from a row: LATERAL VIEW, EXPLODE in a SELECT list, INLINE, STACK. Each row by itself."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from sqlglot import exp

from trickle.functions import Role, facts_of
from trickle.plan.op import Linearity, Op
from trickle.plan.scalar import Scalar
from trickle.plan.schema import WEIGHT, Column, Schema
from trickle.sql.block import Block, closed_block
from trickle.sql.build import column, identifier, integer
from trickle.sql.text import function_name

MADE = "__trickle_made_"
"""Made columns begin with it, so that they are found without naming the view, which not every database lets one do."""
KEEPS_EMPTY = "_outer"
"""EXPLODE_OUTER keeps a row that makes none, as LATERAL VIEW OUTER does."""


@dataclass(frozen=True, eq=False)
class Explode(Op):
    """SELECT * FROM child LATERAL VIEW [OUTER] generator AS columns.   Δε(R) = ε(ΔR)

    With `outer` a row that makes nothing is kept, beside NULLs.
    """

    child: Op
    generator: Scalar
    columns: tuple[Column, ...]
    outer: bool
    linearity: ClassVar[Linearity] = Linearity.LINEAR

    @cached_property
    def schema(self) -> Schema:
        return Schema((*self.child.schema.columns, *self.columns))

    def scalars(self) -> tuple[Scalar, ...]:
        return (self.generator,)

    def block(self, inputs: tuple[Block, ...]) -> Block:
        (child,) = inputs
        made = {one.name: column(one.name) for one in self.columns}
        query = child.projected({**child.outputs, **made}).select(WEIGHT)
        generator = child.define(self.generator.tree)
        names = exp.TableAlias(this=identifier(f"{MADE}rows"), columns=[identifier(one.name) for one in self.columns])
        if facts_of(function_name(generator)).role is Role.RELATION:
            _beside(query, exp.Lateral(this=_keeping(generator) if self.outer else generator, alias=names))
        else:
            query.append("laterals", exp.Lateral(this=generator, view=True, outer=self.outer, alias=names))
        return closed_block(query, self.schema.names, WEIGHT if self.signed else None)


def _keeping(generator: exp.Expr) -> exp.Expr:
    """By its own name: Spark 4.2 drops rows of a LEFT JOIN LATERAL without ON, and takes no VARIANT below an ON."""
    kept = generator.copy()
    kept.set("this", f"{generator.this}{KEEPS_EMPTY}")
    return kept


def _beside(query: exp.Query, made: exp.Lateral) -> None:
    """What is no LATERAL VIEW is joined LATERAL, after all that the query reads."""
    if query.args.get("from_") is None:
        query.set("from_", exp.From(this=exp.Values(expressions=[exp.Tuple(expressions=[integer(1)])])))
    query.append("joins", exp.Join(this=made))
