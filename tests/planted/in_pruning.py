"""Wrong identities: what simplify may not drop, and what may not be called insert-only."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

import pytest

from tests.laws import statements
from tests.oracle.generate_plans import padded_examples
from tests.planted.planting import found_by
from trickle.delta import nonnegative, simplify
from trickle.operators import (
    Aggregate,
    Distinct,
    Empty,
    Feed,
    Join,
    Negate,
    UnionAll,
)
from trickle.plan.op import Op


def in_simplify(patch: pytest.MonkeyPatch, rule: Callable[[Op], Op | None]) -> None:
    """A wrong rule that fires before the right ones."""
    keep = simplify.simplify_node
    patch.setattr(simplify, "simplify_node", lambda op: rule(op) or keep(op))


@found_by(statements.simplify_keeps_bag_and_schema)
def a_grand_total_of_nothing_is_nothing(patch: pytest.MonkeyPatch) -> None:
    """A grouping over no rows is pruned even when it has no keys and therefore a row."""
    in_simplify(
        patch,
        lambda op: Empty(op.schema) if isinstance(op, Aggregate) and isinstance(op.child, Empty) else None,
    )


@found_by(statements.delta_is_the_difference)
def minus_is_dropped(patch: pytest.MonkeyPatch) -> None:
    """−R simplifies to R."""
    in_simplify(patch, lambda op: op.child if isinstance(op, Negate) else None)


@found_by(statements.delta_is_the_difference)
def a_union_drops_an_input_read_twice(patch: pytest.MonkeyPatch) -> None:
    """R ⊎ R simplifies to R, as it would in set theory."""

    def rule(op: Op) -> Op | None:
        if not isinstance(op, UnionAll) or len(set(map(id, op.inputs))) == len(op.inputs):
            return None
        return UnionAll(tuple({id(child): child for child in op.inputs}.values()))

    in_simplify(patch, rule)


@found_by(statements.delta_is_the_difference)
def a_union_with_nothing_is_nothing(patch: pytest.MonkeyPatch) -> None:
    """∅ ⊎ R simplifies to ∅, as if it were a join."""

    def rule(op: Op) -> Op | None:
        empty = isinstance(op, UnionAll) and any(isinstance(child, Empty) for child in op.inputs)
        return Empty(op.schema) if empty else None

    in_simplify(patch, rule)


@found_by(statements.nothing_empty_is_left_inside)
def joins_with_nothing_stay(patch: pytest.MonkeyPatch) -> None:
    """A join with an empty right side is not pruned: right, but it reads the other side for nothing."""
    in_simplify(patch, lambda op: op if isinstance(op, Join) and isinstance(op.right, Empty) else None)


@found_by(statements.only_adds_never_removes)
def a_join_only_adds_when_one_side_does(patch: pytest.MonkeyPatch) -> None:
    """An insert-only left side hides the removals of the right one."""
    keep = nonnegative.only_adds

    def only_adds(delta: Op) -> bool:
        if isinstance(delta, Join):
            return any(only_adds(child) for child in delta.children)
        return keep(delta)

    patch.setattr(nonnegative, "only_adds", only_adds)
    patch.setattr(statements, "only_adds", only_adds)


@found_by(statements.only_adds_never_removes)
def every_feed_only_adds(patch: pytest.MonkeyPatch) -> None:
    """The feed of a source with deletes is appended."""
    keep = statements.only_adds

    def only_adds(delta: Op) -> bool:
        return isinstance(delta, Feed) or keep(delta)

    patch.setattr(nonnegative, "only_adds", only_adds)
    patch.setattr(statements, "only_adds", only_adds)


@found_by(statements.rewrites_keep_bag_and_schema)
def columns_are_pruned_below_distinct(patch: pytest.MonkeyPatch) -> None:
    """SELECT a FROM (SELECT DISTINCT a, b …) becomes SELECT a FROM (SELECT DISTINCT a …): other duplicates."""
    module = import_module("trickle.rewrite.prune_columns")
    keep = module._used_of_children  # noqa: SLF001 - this rule is what is broken here

    def asked(op: Op, wanted: set[str]) -> list[set[str]]:
        return [wanted] if isinstance(op, Distinct) else keep(op, wanted)

    patch.setattr(module, "_used_of_children", asked)


@found_by(statements.rewrites_keep_bag_and_schema, within=2000, drawn=padded_examples())
def every_call_ignores_padded_rows(patch: pytest.MonkeyPatch) -> None:
    """COUNT of a left column counts a matched row once more."""
    module = import_module("trickle.rewrite.split_padding")
    patch.setattr(module, "_ignores_padding", lambda call, right: True)
