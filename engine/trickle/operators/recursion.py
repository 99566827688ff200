"""Recursion: WITH RECURSIVE … UNION ALL whose step is linear: each row of a round makes its rows by itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Optional

from sqlglot import exp

from trickle.operators.accumulate import Accumulate
from trickle.operators.consolidate import Consolidate
from trickle.operators.empty import Empty
from trickle.operators.explode import MADE, Explode
from trickle.operators.project import Project
from trickle.operators.stored_recursion import StoredRecursion
from trickle.operators.union_all import UnionAll
from trickle.operators.working import Working, put
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
    """R = A ⊎ step(R): the anchor's rows, those that the step makes of them, those that it makes of these, and so on.

    ΔR = D ⊎ step′(ΔR),  D = ΔA ⊎ (step′ − step)(R): what the changed rows make, followed through the rounds by the
    step as it is now. R is read from the storage where the step reads tables.
    """

    anchor: Op
    step: Op
    working: str
    """The name of the leaf inside the step that stands for the round before."""
    level: Optional[str] = None
    """The column that counts the rounds; there is one wherever the recursion reads tables."""
    levels: Optional[int] = None
    """MAX RECURSION LEVEL, where the text says so."""
    slot: Optional[str] = None
    """Under which name the storage keeps its rows, if it does."""
    linearity: ClassVar[Linearity] = Linearity.NONLINEAR

    @property
    def schema(self) -> Schema:
        return self.anchor.schema

    @property
    def signed(self) -> bool:
        return self.anchor.signed

    @cached_property
    def limit(self) -> int:
        """The level at which Spark gives up: no row may lie there."""
        return DEFAULT_LEVELS if self.levels is None else self.levels

    def change(self, anchor: Change, step: Change) -> Change:
        """Before and after are read from the storage, where it keeps them, and else computed again."""
        unchanged = anchor.before is anchor.after and step.before is step.after
        if self.slot is None:
            before: Op = self.rebuild((anchor.before, step.before))
            after: Op = self.rebuild((anchor.after, step.after))
            return Change(before, after, Empty(self.schema) if unchanged else self._delta(before, anchor, step))
        kept = StoredRecursion(self.slot, self.schema)
        if unchanged:
            return Change(kept, kept, Empty(self.schema))
        delta = self._delta(kept, anchor, step)
        return Change(kept, counted_out(UnionAll((kept, delta))), delta)

    def _delta(self, before: Op, anchor: Change, step: Change) -> Op:
        # Rows that came and went again would otherwise be followed, perhaps into a circle that nothing leads to.
        begin = Consolidate(UnionAll((anchor.delta, put(before, self.working, step.delta))))
        working = Working(self.working, self.schema, weighted=True)
        return replace(self, anchor=begin, step=put(working, self.working, step.after), slot=None)


def counted_out(op: Op) -> Op:
    """Signed rows that sum to a bag, as that bag: each row as often as its weights say."""
    names = op.schema.names
    copies = Named(COPIES, Scalar(exp.Sum(this=column(WEIGHT))))
    rows = Accumulate(op, tuple(Named(name, column_scalar(name)) for name in names), (copies,), drops_zero=True)
    one = cast(integer(1), "bigint")
    each = Scalar(call("EXPLODE", call("SEQUENCE", one, cast(column(COPIES), "bigint"))))
    repeated = Explode(rows, each, (Column(f"{MADE}copy", "bigint"),), outer=False)
    typed = tuple(Named(name, column_scalar(name)) for name in names)
    return Project(repeated, typed)
