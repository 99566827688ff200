"""Wrong rules of the joins that ask whether a match exists, of windows, and of the first rows of an order."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlglot import exp

from tests.laws import on_storage, statements
from tests.oracle.generate_orders import placed_examples, windowed_examples
from tests.oracle.generate_plans import bounded_examples, emptied_examples, joined_examples, stored_examples
from tests.planted.planting import found_by
from trickle.apply import replace_top
from trickle.delta import bound_scans, push_restrictions, simplify
from trickle.delta import column_ranges as values
from trickle.operators import (
    Empty,
    Join,
    MarkJoin,
    OuterJoin,
    Restrict,
    SemiJoin,
    UnionAll,
    Window,
    one_row,
    outer_join,
    semi_join,
    window,
)
from trickle.plan import frame_positions as places
from trickle.plan import ties
from trickle.plan.change import Change
from trickle.plan.op import Op
from trickle.plan.scalar import Named
from trickle.sql.build import integer


@found_by(statements.delta_is_the_difference)
def outer_join_never_pads_again(patch: pytest.MonkeyPatch) -> None:
    """A left row that loses its last match, or finds its first, keeps what it had."""

    def delta(self: OuterJoin, changes: tuple[Change, ...]) -> Op:
        left, right = changes
        own = OuterJoin(left.delta, right.after, self.condition, full=False)
        return UnionAll((own, Join(left.before, right.delta, self.condition)))

    patch.setattr(OuterJoin, "delta", delta)


@found_by(statements.delta_is_the_difference)
def full_join_forgets_its_right_side(patch: pytest.MonkeyPatch) -> None:
    """Right rows without a match come and go unseen."""
    keep = OuterJoin.delta
    patch.setattr(OuterJoin, "delta", lambda self, changes: keep(replace(self, full=False), changes))


@found_by(statements.delta_is_the_difference)
def semi_join_looks_at_left_rows_after(patch: pytest.MonkeyPatch) -> None:
    """Left rows that just came are judged twice."""

    def delta(self: SemiJoin, changes: tuple[Change, ...]) -> Op:
        left, right = changes
        matched_by_change = semi_join.matched_by_change(left.after, right.delta, self.condition)
        before, after = self.rebuild((matched_by_change, right.before)), self.rebuild((matched_by_change, right.after))
        return UnionAll((self.rebuild((left.delta, right.after)), outer_join.Negate(before), after))

    patch.setattr(SemiJoin, "delta", delta)


@found_by(statements.delta_is_the_difference)
def semi_join_judges_new_left_rows_by_what_was(patch: pytest.MonkeyPatch) -> None:
    """ΔL ⋉ R instead of ΔL ⋉ R′."""
    keep = SemiJoin.delta

    def delta(self: SemiJoin, changes: tuple[Change, ...]) -> Op:
        left, right = changes
        union = keep(self, changes)
        assert isinstance(union, UnionAll)
        return UnionAll((self.rebuild((left.delta, right.before)), *union.inputs[1:]))

    patch.setattr(SemiJoin, "delta", delta)


@found_by(statements.delta_is_the_difference, within=200, drawn=bounded_examples())
def a_total_that_moves_only_loses_rows(patch: pytest.MonkeyPatch) -> None:
    """The rows that a moved total lets in never come."""
    keep = SemiJoin.delta

    def delta(self: SemiJoin, changes: tuple[Change, ...]) -> Op:
        terms = keep(self, changes)
        assert isinstance(terms, UnionAll)
        return UnionAll(terms.inputs[:2])

    patch.setattr(SemiJoin, "delta", delta)


@found_by(statements.delta_is_the_difference, within=200, drawn=bounded_examples())
def a_comparison_with_null_holds(patch: pytest.MonkeyPatch) -> None:
    """A row that compared with a total of nothing is taken for one that did not hold: neither does NOT of it."""

    def and_not(held: exp.Expr, other: exp.Expr) -> exp.Expr:
        return exp.And(this=exp.Paren(this=held.copy()), expression=exp.Not(this=exp.Paren(this=other.copy())))

    patch.setattr(one_row, "_and_not", and_not)


@found_by(statements.delta_is_the_difference)
def marks_are_never_looked_at_again(patch: pytest.MonkeyPatch) -> None:
    """A mark stays what it was when its row came."""
    patch.setattr(MarkJoin, "delta", lambda self, changes: self.rebuild((changes[0].delta, changes[1].after)))


@found_by(statements.simplify_keeps_bag_and_schema, within=200, drawn=emptied_examples())
def anti_join_with_nothing_is_nothing(patch: pytest.MonkeyPatch) -> None:
    """L ▷ ∅ is taken for ∅, as L ⋉ ∅ is."""
    keep = simplify.simplify_node

    def node(op: Op) -> Op:
        return Empty(op.schema) if isinstance(op, SemiJoin) and isinstance(op.right, Empty) else keep(op)

    patch.setattr(simplify, "simplify_node", node)


@found_by(statements.delta_is_the_difference)
def windows_forget_what_they_said_before(patch: pytest.MonkeyPatch) -> None:
    """The touched partitions are added anew, their old rows stay."""
    keep = window.recompute_affected

    def recompute(op: Op, change: Change, keys: tuple[object, ...]) -> Op:
        union = keep(op, change, keys)  # type: ignore[arg-type]
        assert isinstance(union, UnionAll)
        return union.inputs[1]

    patch.setattr(window, "recompute_affected", recompute)


@found_by(statements.pushing_keeps_bag_and_schema, within=1000, drawn=joined_examples())
def restrictions_sink_below_any_window(patch: pytest.MonkeyPatch) -> None:
    """A window over all rows of its partition is given only those that the restriction is about."""
    keep = push_restrictions._sunk  # noqa: SLF001 - the rule itself is what is broken here

    def sunk(op: Op, keys: Op, by: tuple[Named, ...]) -> Op:
        named = {name for key in by for name in key.value.columns}
        if isinstance(op, Window) and named <= set(op.child.schema.names):
            return op.rebuild((keep(op.child, keys, by),))
        return keep(op, keys, by)

    patch.setattr(push_restrictions, "_sunk", sunk)


@found_by(statements.bounding_keeps_bag_and_schema, within=4000, drawn=joined_examples())
def a_shared_part_is_given_what_one_reader_needs(patch: pytest.MonkeyPatch) -> None:
    """Two readers of one part ask for different keys: it must hold those of either."""
    patch.setattr(bound_scans, "_either", bound_scans._both)  # noqa: SLF001 - the rule itself is what is broken here


@found_by(statements.bounding_keeps_bag_and_schema, within=1000)
def bounds_forget_null(patch: pytest.MonkeyPatch) -> None:
    """Keys are compared null-safely, so a NULL among the changed keys must be looked up as well."""
    keep = bound_scans._of_keys  # noqa: SLF001

    def of_keys(op: Restrict, known: values.ColumnRanges) -> bound_scans.Needed:
        return {name: one.without_null for name, one in keep(op, known).items()}

    patch.setattr(bound_scans, "_of_keys", of_keys)


@found_by(statements.rendered_is_interpreted, within=400, drawn=windowed_examples())
def ties_are_broken_by_the_last_column_first(patch: pytest.MonkeyPatch) -> None:
    """Another order of rows that tie than the one that is stored."""
    keep = window.without_ties
    patch.setattr(window, "without_ties", lambda tree, columns: keep(tree, columns[::-1]))


@found_by(statements.rendered_is_interpreted, within=1000, drawn=placed_examples())
def the_last_known_value_is_the_first(patch: pytest.MonkeyPatch) -> None:
    """An order that falls is taken for one that rises."""
    patch.setattr(places, "descends", lambda window: False)


@found_by(statements.rendered_is_interpreted, within=1000, drawn=placed_examples())
def nulls_are_known_values(patch: pytest.MonkeyPatch) -> None:
    """IGNORE NULLS is not heard."""
    patch.setattr(places, "ignores_nulls", lambda window: False)


@found_by(statements.rendered_is_interpreted, within=1000, drawn=placed_examples())
def a_frame_reaches_the_nth_row_at_once(patch: pytest.MonkeyPatch) -> None:
    """The first rows of the partition are shown before the frame holds so many."""
    patch.setattr(ties, "nth", lambda window, whole: whole)


@found_by(on_storage.every_strategy_is_exact, within=400, drawn=stored_examples())
def rows_beyond_the_stored_ones_are_trusted(patch: pytest.MonkeyPatch) -> None:
    """A row that came behind the last stored one is taken for the next, though others may lie between."""
    patch.setattr(replace_top, "PREFIX", replace_top.WHOLE)


@found_by(on_storage.every_strategy_is_exact, within=400, drawn=stored_examples())
def offset_is_forgotten_when_maintaining(patch: pytest.MonkeyPatch) -> None:
    """The rows before the offset are shown once the order is maintained."""
    keep = replace_top.replace_top

    def without_offset(delta, layout, target, binding):  # type: ignore[no-untyped-def]
        tree = keep(delta, layout, target, binding)
        for call in list(tree.find_all(exp.Anonymous)):
            if call.name == "GREATEST" and call.expressions[-1] == integer(layout.offset):
                call.replace(call.expressions[0])
        return tree

    patch.setattr(replace_top, "replace_top", without_offset)


@found_by(statements.delta_is_the_difference, within=400, drawn=joined_examples())
def any_change_is_taken_for_new_rows(patch: pytest.MonkeyPatch) -> None:
    """A row that loses its match, or that a removed row matched, is not asked again."""
    patch.setattr(semi_join, "only_gains", lambda delta: True)


@found_by(statements.delta_is_the_difference, within=1000, drawn=joined_examples())
def a_row_that_goes_is_taken_for_a_new_one(patch: pytest.MonkeyPatch) -> None:
    """The same of an outer join: the rows whose match went are not padded."""
    patch.setattr(outer_join, "only_gains", lambda delta: True)
