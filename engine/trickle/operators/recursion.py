"""Recursion: WITH RECURSIVE … UNION ALL whose step is linear: each row of a round derives its rows independently."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Optional

from sqlglot import exp

from trickle.operators.accumulate import Accumulate
from trickle.operators.consolidate import Consolidate
from trickle.operators.empty import Empty
from trickle.operators.explode import GENERATED_PREFIX, Explode
from trickle.operators.project import Project
from trickle.operators.stored_recursion import StoredRecursion
from trickle.operators.union_all import UnionAll
from trickle.operators.working import Working, with_working_rows
from trickle.plan.change import Change
from trickle.plan.op import Linearity, Op
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.plan.schema import WEIGHT, Column, Schema
from trickle.sql.build import call, cast, column, integer

DEFAULT_LEVELS = 100
"""spark.sql.cteRecursionLevelLimit as Spark ships it."""
COPIES = "__trickle_copies"


@dataclass(frozen=True, eq=False)
class Recursion(Op):
    """R = A ⊎ step(R): the anchor's rows, the rows the step derives from them, and so on until a round is empty.

    ΔR = D ⊎ step′(ΔR),  D = ΔA ⊎ (step′ − step)(R): the directly changed rows, followed through the rounds by the new
    step. R is read from the storage where the step reads tables.
    """

    anchor: Op
    step: Op
    working: str
    """The name of the leaf inside the step that reads the previous round."""
    level: Optional[str] = None
    """The column that counts the rounds; set wherever the recursion reads tables."""
    levels: Optional[int] = None
    """MAX RECURSION LEVEL, where the query sets it."""
    slot: Optional[str] = None
    """The name under which the storage keeps its rows, if it does."""
    linearity: ClassVar[Linearity] = Linearity.NONLINEAR

    @property
    def schema(self) -> Schema:
        return self.anchor.schema

    @property
    def signed(self) -> bool:
        return self.anchor.signed

    @cached_property
    def limit(self) -> int:
        """The level at which Spark stops with an error: no row may have it."""
        return DEFAULT_LEVELS if self.levels is None else self.levels

    def change(self, anchor: Change, step: Change) -> Change:
        """The change of the recursion. Before and after are read from the storage if kept there, else computed."""
        unchanged = anchor.before is anchor.after and step.before is step.after
        if self.slot is None:
            before: Op = self.rebuild((anchor.before, step.before))
            after: Op = self.rebuild((anchor.after, step.after))
            return Change(before, after, Empty(self.schema) if unchanged else self._delta(before, anchor, step))
        stored = StoredRecursion(self.slot, self.schema)
        if unchanged:
            return Change(stored, stored, Empty(self.schema))
        delta = self._delta(stored, anchor, step)
        return Change(stored, expand_weights(UnionAll((stored, delta))), delta)

    def _delta(self, before: Op, anchor: Change, step: Change) -> Op:
        # Otherwise rows that were added and removed again would be followed, perhaps into an unreachable cycle.
        changed_anchor = Consolidate(UnionAll((anchor.delta, with_working_rows(before, self.working, step.delta))))
        working = Working(self.working, self.schema, weighted=True)
        return replace(
            self, anchor=changed_anchor, step=with_working_rows(working, self.working, step.after), slot=None
        )


def expand_weights(op: Op) -> Op:
    """Signed rows whose weights sum to a bag, as that bag: each row repeated by its weight."""
    names = op.schema.names
    copies = Named(COPIES, Scalar(exp.Sum(this=column(WEIGHT))))
    rows = Accumulate(op, tuple(Named(name, column_scalar(name)) for name in names), (copies,), drops_zero=True)
    first = cast(integer(1), "bigint")
    each = Scalar(call("EXPLODE", call("SEQUENCE", first, cast(column(COPIES), "bigint"))))
    repeated = Explode(rows, each, (Column(f"{GENERATED_PREFIX}copy", "bigint"),), outer=False)
    typed = tuple(Named(name, column_scalar(name)) for name in names)
    return Project(repeated, typed)
