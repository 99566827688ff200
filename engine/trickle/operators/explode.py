"""Explode: rows generated from each row: LATERAL VIEW, EXPLODE in a SELECT list, INLINE, STACK."""

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

GENERATED_PREFIX = "__trickle_made_"
"""Prefix of generated columns: they are unique without the view's name, which not every database accepts."""
KEEPS_EMPTY = "_outer"
"""Suffix of generators that keep a row from which no rows are generated, as LATERAL VIEW OUTER does."""


@dataclass(frozen=True, eq=False)
class Explode(Op):
    """SELECT * FROM child LATERAL VIEW [OUTER] generator AS columns.   Δε(R) = ε(ΔR)

    With `outer`, a row from which no rows are generated is kept, padded with NULLs.
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
        generated = {item.name: column(item.name) for item in self.columns}
        query = child.projected({**child.outputs, **generated}).select(WEIGHT)
        generator = child.define(self.generator.tree)
        names = exp.TableAlias(
            this=identifier(f"{GENERATED_PREFIX}rows"), columns=[identifier(item.name) for item in self.columns]
        )
        if facts_of(function_name(generator)).role is Role.RELATION:
            _join_lateral(query, exp.Lateral(this=_keeping_empty(generator) if self.outer else generator, alias=names))
        else:
            query.append("laterals", exp.Lateral(this=generator, view=True, outer=self.outer, alias=names))
        return closed_block(query, self.schema.names, WEIGHT if self.signed else None)


def _keeping_empty(generator: exp.Expr) -> exp.Expr:
    """The generator by its _OUTER name: Spark 4.2 drops rows of a LEFT JOIN LATERAL without ON, and fails on a VARIANT
    below an ON."""
    outer_generator = generator.copy()
    outer_generator.set("this", f"{generator.this}{KEEPS_EMPTY}")
    return outer_generator


def _join_lateral(query: exp.Query, lateral: exp.Lateral) -> None:
    """Join a generator without a LATERAL VIEW form LATERAL, after the query's other relations."""
    if query.args.get("from_") is None:
        query.set("from_", exp.From(this=exp.Values(expressions=[exp.Tuple(expressions=[integer(1)])])))
    query.append("joins", exp.Join(this=lateral))
