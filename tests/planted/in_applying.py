"""Right changes, applied wrongly to the stored rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from sqlglot import exp

from tests.laws import on_storage
from tests.oracle.generate_plans import appended_examples, stored_examples
from tests.planted.planting import found_by
from trickle.aggregates import maintain as calls
from trickle.aggregates import sum as sums
from trickle.aggregates.maintained import Combine, Maintained
from trickle.aggregates.stateful import AggregateCall
from trickle.apply import (
    merge_by_key,
    overwrite_rows,
    recount,
    replace_groups,
    state_changes,
    strategy,
)
from trickle.layouts.bag import Bag
from trickle.layouts.groups import Groups
from trickle.operators import Accumulate
from trickle.plan.hidden_columns import COUNT
from trickle.plan.op import Op
from trickle.plan.schema import WEIGHT
from trickle.sql.build import alias, all_of, cast, column, integer


def equal(columns: Any, left: str, right: str) -> exp.Expr:
    """Rows compared by `=`: NULL equals nothing."""
    found = all_of(exp.EQ(this=column(one.name, left), expression=column(one.name, right)) for one in columns)
    assert found is not None
    return found


@found_by(on_storage.every_strategy_is_exact, within=200, drawn=stored_examples())
def changes_with_removals_are_appended(patch: pytest.MonkeyPatch) -> None:
    """Every change is held to only add rows."""
    patch.setattr(strategy, "only_adds", lambda delta: True)


@found_by(on_storage.every_strategy_is_exact, within=200, drawn=stored_examples())
def rows_are_matched_without_null(patch: pytest.MonkeyPatch) -> None:
    """A row with NULL in it is never found again to be removed."""
    patch.setattr(recount, "all_same", equal)


@found_by(on_storage.every_strategy_is_exact, within=400, drawn=stored_examples(1))
def groups_are_matched_without_null(patch: pytest.MonkeyPatch) -> None:
    """The group of NULL is inserted a second time instead of being updated."""
    patch.setattr(merge_by_key, "same_value", lambda left, right, kind: exp.EQ(this=left, expression=right))


@found_by(on_storage.every_strategy_is_exact, within=200, drawn=stored_examples())
def recomputed_groups_are_matched_without_null(patch: pytest.MonkeyPatch) -> None:
    """The same for groups that are recomputed."""
    patch.setattr(replace_groups, "same_value", lambda left, right, kind: exp.EQ(this=left, expression=right))


@found_by(on_storage.every_strategy_is_exact, within=200, drawn=stored_examples())
def a_sum_of_zero_is_null(patch: pytest.MonkeyPatch) -> None:
    """NULL is told by the sum instead of by the number of values added up."""
    keep = sums.SUM.maintain

    def maintain(call: AggregateCall) -> Maintained | None:
        right = keep(call)
        if right is None:
            return None

        def finish(states: tuple[exp.Expr, ...]) -> exp.Expr:
            return exp.Nullif(this=states[0], expression=integer(0))

        return Maintained(right.states, finish)

    patch.setitem(calls.BY_FUNCTION, "sum", replace(sums.SUM, maintain=maintain))


@found_by(on_storage.every_strategy_is_exact, within=200, drawn=stored_examples())
def extremes_are_merged_when_rows_are_removed(patch: pytest.MonkeyPatch) -> None:
    """The stored minimum stays though its row is gone."""
    keep = state_changes.changes_of_state

    def changes_of_state(delta: Op, layout: Groups) -> Accumulate:
        # An extreme that is compared with zero would be found by its type, not by its value.
        return replace(keep(delta, layout), drops_zero=False)

    patch.setattr(state_changes, "changes_of_state", changes_of_state)
    patch.setattr(Groups, "only_for_inserts", property(lambda self: False))


@found_by(on_storage.every_strategy_is_exact, within=200, drawn=stored_examples())
def groups_with_as_many_rows_as_before_are_left_out(patch: pytest.MonkeyPatch) -> None:
    """One row for another leaves the count of a group as it was, and with it, wrongly, its sum."""
    keep = state_changes.changes_of_state

    def only_rows_count(delta: Op, layout: Groups) -> Accumulate:
        right = keep(delta, layout)
        return Counted(right.child, right.keys, right.measures, right.drops_zero)

    patch.setattr(state_changes, "changes_of_state", only_rows_count)


class Counted(Accumulate):
    """An Accumulate that looks at its first measure alone to see whether a group moved."""

    def block(self, inputs: Any) -> Any:
        block = super().block(inputs)
        assert block.query is not None
        if (having := block.query.args.get("having")) is not None:
            having.set("this", next(iter(having.find_all(exp.NEQ)), having.this).copy())
        return block


def without(kind: str, build: Callable[..., exp.Expr]) -> Callable[..., exp.Expr]:
    """A MERGE that lost one of its branches."""

    def built(*arguments: Any) -> exp.Expr:
        merge = build(*arguments)
        whens = merge.args["whens"]
        kept = [when for when in whens.expressions if when.args["then"].sql() != kind]
        whens.set("expressions", kept)
        return merge

    return built


@found_by(on_storage.every_strategy_is_exact, within=200, drawn=stored_examples(1))
def groups_without_rows_stay(patch: pytest.MonkeyPatch) -> None:
    """A group whose last row went away is updated to nothing instead of being deleted."""
    patch.setattr(merge_by_key, "merge_by_key", without("DELETE", merge_by_key.merge_by_key))


@found_by(on_storage.every_strategy_is_exact, within=200, drawn=stored_examples())
def recomputed_groups_without_rows_stay(patch: pytest.MonkeyPatch) -> None:
    """The same for groups that are recomputed."""
    patch.setattr(replace_groups, "replace_groups", without("DELETE", replace_groups.replace_groups))


@found_by(on_storage.every_strategy_is_exact, within=200, drawn=stored_examples())
def removed_copies_are_all_removed(patch: pytest.MonkeyPatch) -> None:
    """A value that loses one of its copies is removed with all of them."""
    keep = recount.recount

    def build(*arguments: Any) -> exp.Expr:
        merge = keep(*arguments)
        merge.args["whens"].set("expressions", merge.args["whens"].expressions[:1])
        return merge

    patch.setattr(recount, "recount", build)


@found_by(on_storage.every_strategy_is_exact, within=200, drawn=stored_examples())
def overwriting_forgets_what_was_stored(patch: pytest.MonkeyPatch) -> None:
    """The change is written in place of state ⊎ change."""

    def only_the_change(delta: Op, layout: Bag, target: Any, binding: Any) -> exp.Expr:
        items = [*(column(name) for name in layout.columns.names), alias(cast(column(WEIGHT), "bigint"), COUNT)]
        change = overwrite_rows.render(overwrite_rows.Consolidate(delta), binding)
        query = exp.Select(expressions=items).from_(overwrite_rows.subquery(change, "merged"), copy=False)
        return overwrite_rows.insert_overwrite(target, query)

    patch.setattr(overwrite_rows, "overwrite_rows", only_the_change)


@found_by(on_storage.every_strategy_is_exact, within=400, drawn=appended_examples())
def the_greatest_is_kept_where_the_least_is_meant(patch: pytest.MonkeyPatch) -> None:
    """A stored minimum only ever grows."""
    keep = Combine.of

    def combined(combine: Combine, held: exp.Expr, moved: exp.Expr) -> exp.Expr:
        return keep(Combine.GREATEST if combine is Combine.LEAST else combine, held, moved)

    patch.setattr(Combine, "of", combined)
