"""Meaning-preserving rewrites of plans, each switchable by name, in the order they run."""

from __future__ import annotations

from collections.abc import Callable

from trickle.plan.check import check_same_schema
from trickle.plan.op import Op
from trickle.rewrite.drop_padding import drop_padding
from trickle.rewrite.join_on_conditions import join_on_conditions
from trickle.rewrite.merge_projections import merge_projections
from trickle.rewrite.part_conditions import part_conditions
from trickle.rewrite.prune_columns import prune_columns
from trickle.rewrite.split_padding import split_padding
from trickle.rewrite.time_below_groups import time_below_groups

Rewrite = Callable[[Op], Op]

REWRITES: tuple[tuple[str, Rewrite], ...] = (
    ("part_conditions", part_conditions),
    # Before joins are put on their conditions: there is one more of them.
    ("drop_padding", drop_padding),
    # After drop_padding: of a join nothing is padded.
    ("split_padding", split_padding),
    # After part_conditions: conditions on the clock are filters of their own and stay above.
    ("join_on_conditions", join_on_conditions),
    # Before columns are pruned: it projects more columns than are used.
    ("time_below_groups", time_below_groups),
    # Before projections are merged: removing an unused operator may leave two projections in a row.
    ("prune_columns", prune_columns),
    ("merge_projections", merge_projections),
)


def rewrite(root: Op, disabled: frozenset[str] = frozenset()) -> Op:
    """Run every rewrite that is not switched off; each must leave the schema as it was."""
    return rewritten(root, disabled)[0]


def rewritten(root: Op, disabled: frozenset[str] = frozenset()) -> tuple[Op, frozenset[str]]:
    """The same, and the names of those that changed the plan."""
    effective: list[str] = []
    for name, rule in REWRITES:
        if name not in disabled:
            result = rule(root)
            check_same_schema(root, result, name)
            effective += [name] if result is not root else []
            root = result
    return root, frozenset(effective)
