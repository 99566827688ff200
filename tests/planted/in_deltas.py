"""Wrong delta rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from sqlglot import exp

from tests.laws import statements
from tests.oracle import generate_scalars as scalars
from tests.oracle.generate_plans import joined_examples, projected_examples
from tests.planted.planting import found_by
from trickle.delta import clock_change, differentiate
from trickle.operators import (
    Aggregate,
    Distinct,
    Empty,
    Feed,
    Filter,
    Join,
    Moment,
    Negate,
    Project,
    Restrict,
    Scan,
    TouchedKeys,
    UnionAll,
    affected,
    aggregate,
    distinct,
)
from trickle.plan.change import Change
from trickle.plan.op import Linearity, Op, rewrite_bottom_up
from trickle.plan.scalar import Named, Scalar, column_scalar


@found_by(statements.delta_is_the_difference)
def join_reads_after_on_both_sides(patch: pytest.MonkeyPatch) -> None:
    """ΔL ⋈ R′ + L′ ⋈ ΔR counts what changed on both sides twice."""

    def delta(self: Join, changes: tuple[Change, ...]) -> Op:
        left, right = changes
        return UnionAll((self.rebuild((left.delta, right.after)), self.rebuild((left.after, right.delta))))

    patch.setattr(Join, "delta", delta)


@found_by(statements.delta_is_the_difference)
def time_passes_unnoticed(patch: pytest.MonkeyPatch) -> None:
    """Only the rows that came and went are judged by the new instant: σ′(ΔR), and the edge is forgotten."""
    patch.setattr(differentiate, "clock_change", lambda earlier, later: Empty(later.schema))


@found_by(statements.delta_is_the_difference)
def the_edge_is_looked_up_in_the_new_rows(patch: pytest.MonkeyPatch) -> None:
    """σ′(ΔR) + (σ′ − σ)(R′) moves a row twice that came in the same interval."""

    def timed(earlier: Op, op: Op, rows: Change) -> Change:
        before = earlier.rebuild(rows.after.children)
        return Change(before, rows.after, UnionAll((rows.delta, differentiate.clock_change(before, rows.after))))

    patch.setattr(differentiate, "_timed", timed)


@found_by(statements.delta_is_the_difference, within=1000, drawn=projected_examples())
def unknown_counts_as_taken(patch: pytest.MonkeyPatch) -> None:
    """A projection looks only for rows whose value was and is known: from NULL to a value is a change, too."""

    def differs(earlier: Project, later: Project) -> Scalar | None:
        pairs = [(a, b) for a, b in zip(earlier.items, later.items) if a.value != b.value]
        return Scalar(exp.NEQ(this=pairs[0][0].value.tree_copy(), expression=pairs[0][1].value.tree_copy()))

    patch.setattr(clock_change, "_differs", differs)


@found_by(statements.delta_is_the_difference)
def join_reads_before_on_both_sides(patch: pytest.MonkeyPatch) -> None:
    """ΔL ⋈ R + L ⋈ ΔR forgets what changed on both sides."""

    def delta(self: Join, changes: tuple[Change, ...]) -> Op:
        left, right = changes
        return UnionAll((self.rebuild((left.delta, right.before)), self.rebuild((left.before, right.delta))))

    patch.setattr(Join, "delta", delta)


@found_by(statements.delta_is_the_difference)
def join_forgets_its_right_side(patch: pytest.MonkeyPatch) -> None:
    """Only the change of the left side is joined."""
    patch.setattr(Join, "delta", lambda self, changes: self.rebuild((changes[0].delta, changes[1].after)))


@found_by(statements.delta_is_the_difference)
def aggregate_forgets_its_retraction(patch: pytest.MonkeyPatch) -> None:
    """The new groups are added, the old ones stay."""
    keep = affected.recompute_affected

    def recompute(op: Op, change: Change, keys: tuple[Named, ...]) -> Op:
        union = keep(op, change, keys)
        assert isinstance(union, UnionAll)
        return union.inputs[1]

    patch.setattr(aggregate, "recompute_affected", recompute)


@found_by(statements.delta_is_the_difference)
def touched_groups_leave_out_null(patch: pytest.MonkeyPatch) -> None:
    """A NULL key is not among the touched ones, so its group is never recomputed."""
    keep = affected.affected_keys

    def keys_without_null(change: Change, keys: tuple[Named, ...]) -> Op:
        condition = " AND ".join(f"{key.name} IS NOT NULL" for key in keys)
        return Filter(keep(change, keys), scalars.scalar(condition))

    patch.setattr(affected, "affected_keys", keys_without_null)


@found_by(statements.delta_is_the_difference)
def touched_groups_come_from_the_rows_after(patch: pytest.MonkeyPatch) -> None:
    """Groups that vanished have no row after, so nobody removes them."""
    patch.setattr(affected, "affected_keys", lambda change, keys: TouchedKeys(change.after, keys))


@found_by(statements.delta_is_the_difference)
def distinct_is_taken_for_linear(patch: pytest.MonkeyPatch) -> None:
    """Every inserted row is added, though an equal one was there already."""
    patch.setattr(Distinct, "delta", lambda self, changes: changes[0].delta)


@found_by(statements.delta_is_the_difference)
def distinct_looks_only_at_inserted_rows(patch: pytest.MonkeyPatch) -> None:
    """A row whose last copy went away is not touched."""
    keep = affected.recompute_affected

    def recompute(op: Op, change: Change, keys: tuple[Named, ...]) -> Op:
        inserted = Restrict(change.delta, Distinct(change.after), keys)
        return keep(op, replace(change, delta=inserted), keys)

    patch.setattr(distinct, "recompute_affected", recompute)


def in_every_delta(patch: pytest.MonkeyPatch, rule: Callable[[Op], Op]) -> None:
    """A wrong leaf: the delta is differentiated rightly and then spoilt, node by node."""
    keep = differentiate.differentiate

    def spoilt(root: Op, changed: Mapping[str, differentiate.SourceChange], *changed_calls: Any) -> Change:
        change = keep(root, changed, *changed_calls)
        return replace(change, delta=rewrite_bottom_up(change.delta, rule))

    patch.setattr(statements, "differentiate", spoilt)


@found_by(statements.delta_is_the_difference)
def before_is_read_after(patch: pytest.MonkeyPatch) -> None:
    """A changed source is read at its new version where its old one is meant."""
    in_every_delta(patch, lambda op: replace(op, at=Moment.AFTER) if isinstance(op, Scan) else op)


@found_by(statements.delta_is_the_difference)
def after_is_read_before(patch: pytest.MonkeyPatch) -> None:
    """A changed source is read at its old version where its new one is meant."""
    in_every_delta(patch, lambda op: replace(op, at=Moment.BEFORE) if isinstance(op, Scan) else op)


@found_by(statements.delta_is_the_difference)
def a_union_is_unchanged_when_its_first_input_is(patch: pytest.MonkeyPatch) -> None:
    """Pruning looks at one child instead of all."""

    def delta(self: UnionAll, changes: tuple[Change, ...]) -> Op:
        first = changes[0]
        return Empty(self.schema) if first.before is first.after else self.rebuild([one.delta for one in changes])

    patch.setattr(UnionAll, "linearity", Linearity.NONLINEAR)
    patch.setattr(UnionAll, "delta", delta)


@found_by(statements.delta_is_the_difference, drawn=joined_examples())
def a_join_changes_only_where_its_left_side_does(patch: pytest.MonkeyPatch) -> None:
    """A join whose left side stands still is taken for unchanged."""

    def delta(self: Join, changes: tuple[Change, ...]) -> Op:
        left, right = changes
        if left.before is left.after:
            return Empty(self.schema)
        return UnionAll((self.rebuild((left.delta, right.after)), self.rebuild((left.before, right.delta))))

    patch.setattr(Join, "delta", delta)


@found_by(statements.nothing_changed_is_empty)
def unchanged_sources_have_a_feed(patch: pytest.MonkeyPatch) -> None:
    """Every source is treated as changed."""

    def leaf(op: Op, changed: object) -> Change:
        if isinstance(op, Scan):
            return Change(replace(op, at=Moment.BEFORE), op, Feed(op.source, op.alias, op.columns, False))
        return Change(op, op, Empty(op.schema))

    patch.setattr(differentiate, "_leaf", leaf)


@found_by(statements.delta_is_the_difference)
def aggregate_sees_only_inserted_rows(patch: pytest.MonkeyPatch) -> None:
    """The new groups are computed without the rows that were there before."""

    def delta(self: Aggregate, changes: tuple[Change, ...]) -> Op:
        (child,) = changes
        touched = TouchedKeys(child.delta, self.keys)
        before = Restrict(child.before, touched, self.keys)
        rows = tuple(Named(name, column_scalar(name)) for name in child.after.schema.names)
        inserted = Restrict(child.after, TouchedKeys(child.delta, rows), rows)
        return UnionAll((Negate(self.rebuild((before,))), self.rebuild((inserted,))))

    patch.setattr(Aggregate, "delta", delta)
