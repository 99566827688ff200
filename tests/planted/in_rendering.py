"""Right plans, printed as wrong SQL."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlglot import exp

from tests.laws import statements
from tests.oracle.generate_plans import examples
from tests.planted.planting import found_by
from trickle.operators import (
    restrict,
    union_all,
)
from trickle.sql import block, build


@found_by(statements.rendered_is_interpreted, within=200)
def touched_keys_are_compared_with_equals(patch: pytest.MonkeyPatch) -> None:
    """`=` in place of `<=>`: the group of NULL is neither removed nor added again."""
    patch.setattr(
        restrict,
        "same",
        lambda left, right: exp.EQ(this=build.operand(left), expression=build.operand(right)),
    )


@found_by(statements.rendered_is_interpreted, within=200)
def a_join_keeps_the_weight_of_its_left_side(patch: pytest.MonkeyPatch) -> None:
    """Weights do not multiply, so that a removal on the right adds."""
    patch.setattr(
        block,
        "multiply",
        lambda left, right: None if left is None and right is None else left or build.integer(1),
    )


@found_by(statements.rendered_is_interpreted, within=200, drawn=examples(2))
def filters_keep_what_is_unknown(patch: pytest.MonkeyPatch) -> None:
    """WHERE drops only what is false."""

    def filtered(self: block.Block, condition: exp.Expr) -> block.Block:
        kept = exp.Coalesce(this=condition, expressions=[exp.true()])
        return replace(self, where=(*self.where, kept))

    patch.setattr(block.Block, "filtered", filtered)


@found_by(statements.rendered_is_interpreted, within=200)
def unions_lose_duplicates(patch: pytest.MonkeyPatch) -> None:
    """UNION is printed where UNION ALL is meant."""

    def union(queries: list[exp.Query]) -> exp.Query:
        result, *rest = queries
        for query in rest:
            result = exp.Union(this=result, expression=query, distinct=True)
        return result

    patch.setattr(union_all, "union_all", union)


@found_by(statements.plans_are_never_altered, within=200)
def rendering_qualifies_the_plan_itself(patch: pytest.MonkeyPatch) -> None:
    """Columns get their table inside the plan's own tree instead of inside a copy."""
    keep = block.Block.define

    def define(self: block.Block, tree: exp.Expr) -> exp.Expr:
        result = keep(self, tree)
        for node in tree.find_all(exp.Column):
            node.set("table", build.identifier("t"))
        return result

    patch.setattr(block.Block, "define", define)
