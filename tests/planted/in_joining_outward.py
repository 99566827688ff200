"""Wrong orders of joins: right ones mean the same as the plan, and read no table more often than they must."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.laws import statements
from tests.oracle.generate_plans import chained_examples
from tests.passes import test_join_order, test_join_outward
from tests.planted.planting import check, found_by, reword, shown_by
from trickle.delta import join_order, join_outward
from trickle.delta.join_order import _Joining
from trickle.operators import Moment, Negate, Scan
from trickle.plan.op import Op, rewrite_bottom_up

by_the_law = found_by(statements.joining_outward_keeps_bag_and_schema, within=500, drawn=chained_examples())


@shown_by(check(test_join_outward.test_changed_tables_give_as_many_flat_terms))
@by_the_law
def only_the_first_changed_table_is_met(patch: pytest.MonkeyPatch) -> None:
    """Of a union of changes one term is left out of the next."""
    reword(patch, join_outward, "_terms", "for branch in op.inputs:", "for branch in op.inputs[:1]:")


@shown_by(check(test_join_order.test_unions_within_unions_are_flat))
@by_the_law
def a_union_of_tables_is_its_first(patch: pytest.MonkeyPatch) -> None:
    """A change is joined with the left relations of the other side's terms alone."""
    reword(
        patch,
        join_outward,
        "_terms",
        "for left in _terms(op.left, shared):",
        "for left in [*_terms(op.left, shared)][:1]:",
    )


@shown_by(check(test_join_order.test_a_filter_between_joins_is_checked_where_it_can_be))
@by_the_law
def a_filter_between_joins_is_forgotten(patch: pytest.MonkeyPatch) -> None:
    """σ(L ⋈ R) is taken apart into L and R."""
    reword(patch, join_outward, "_terms", "yield term.where(op.condition)", "yield term")


@shown_by(check(test_join_order.test_what_is_taken_away_stays_taken_away))
def a_minus_between_joins_is_passed_through(patch: pytest.MonkeyPatch) -> None:
    """−(ΔL ⋈ R) ⋈ S is taken apart as if it were added."""
    reword(patch, join_outward, "_joins_below", "case Filter():", "case Filter() | Negate():", Negate=Negate)
    reword(
        patch,
        join_outward,
        "_terms",
        "case UnionAll() if op.signed and not whole:",
        "case Negate() if not whole:\n"
        "            yield from _terms(op.child, shared)\n"
        "        case UnionAll() if op.signed and not whole:",
        Negate=Negate,
    )


@shown_by(check(test_join_outward.test_a_change_that_is_read_twice_stays_whole))
def a_change_with_two_readers_is_taken_apart(patch: pytest.MonkeyPatch) -> None:
    """Each of them computes it again."""
    reword(patch, join_outward, "join_outward", "if readers > 1", "if readers > 9")


def every_table_at(patch: pytest.MonkeyPatch, moment: Moment) -> None:
    def read(op: Op) -> Op:
        return replace(op, at=moment) if isinstance(op, Scan) else op

    reword(
        patch,
        join_outward,
        "_terms",
        "yield Term((op,))",
        "yield Term((rewrite_bottom_up(op, read),))",
        read=read,
        rewrite_bottom_up=rewrite_bottom_up,
    )


@shown_by(check(test_join_outward.test_changed_tables_give_as_many_flat_terms))
@by_the_law
def tables_taken_apart_are_those_of_now(patch: pytest.MonkeyPatch) -> None:
    """A table that changed, too, is met as it is where it is due as it was: what changed on both sides counts twice."""
    every_table_at(patch, Moment.AFTER)


@shown_by(check(test_join_outward.test_changed_tables_give_as_many_flat_terms))
@by_the_law
def tables_taken_apart_are_those_of_before(patch: pytest.MonkeyPatch) -> None:
    """A table that changed, too, is met as it was where it is due as it is."""
    every_table_at(patch, Moment.BEFORE)


@shown_by(
    check(test_join_outward.test_changed_tables_give_as_many_flat_terms),
    check(test_join_order.test_a_net_change_is_the_beginning),
)
def terms_begin_where_they_are_written(patch: pytest.MonkeyPatch) -> None:
    """A change that stands last is met by the join of whole tables."""
    reword(
        patch,
        _Joining,
        "of",
        "next((relation for relation in term.relations if relation.signed), term.relations[0])",
        "term.relations[0]",
    )


@shown_by(check(test_join_order.test_a_filter_between_joins_is_checked_where_it_can_be))
@by_the_law
def a_table_is_met_on_one_condition(patch: pytest.MonkeyPatch) -> None:
    """Whatever else is to hold between it and what is joined is lost."""
    reword(patch, _Joining, "join_while", "all_hold(on)", "all_hold(on[:1])")


@shown_by(check(test_join_order.test_a_condition_over_no_column_is_checked_at_the_end))
def what_no_table_decides_is_never_checked(patch: pytest.MonkeyPatch) -> None:
    """A condition that is left when every table is joined is forgotten."""
    reword(patch, _Joining, "whole", "_where(self.joined, self.conditions)", "self.joined")


@shown_by(check(test_join_order.test_a_condition_over_three_tables_is_checked_with_the_last))
def a_condition_is_done_with_at_its_first_table(patch: pytest.MonkeyPatch) -> None:
    """One over three tables is struck off before the third is there."""
    reword(
        patch,
        _Joining,
        "taken",
        "or not part.columns <= names]",
        "or not len(part.columns & names) > 1]",
    )


@shown_by(check(test_join_outward.test_tables_that_connect_no_changes_are_met_by_all_terms_together))
def no_table_is_met_together(patch: pytest.MonkeyPatch) -> None:
    """Every term reads the tables behind it for itself."""
    reword(patch, join_order, "joined_terms", "frozenset[int].intersection(", "frozenset[int]().intersection(")


@shown_by(check(test_join_outward.test_tables_that_connect_no_changes_are_met_by_all_terms_together))
def a_table_between_two_changes_is_met_once(patch: pytest.MonkeyPatch) -> None:
    """What connects a change with another changed table waits for all terms: until then it is a product."""
    reword(patch, _Joining, "join_while", "min(self.waiting,", "min(filter(wanted, self.waiting),")


@shown_by(check(test_join_order.test_terms_that_reach_each_other_by_other_tables_go_on_together))
def a_term_meets_only_its_own_bridges(patch: pytest.MonkeyPatch) -> None:
    """Terms that came along different tables never meet again: each reads all that follows."""
    reword(patch, join_order, "joined_terms", "for relation in joining.met} & common", "for relation in ()}")


@shown_by(check(test_join_order.test_terms_with_different_conditions_go_on_apart))
def terms_go_on_together_whatever_they_wait_for(patch: pytest.MonkeyPatch) -> None:
    """The conditions of the first are asked of all."""
    reword(patch, _Joining, "rest", "frozenset(map(id, self.waiting)), texts", "frozenset(map(id, self.waiting)), ()")


@shown_by(check(test_join_outward.test_tables_that_connect_no_changes_are_met_by_all_terms_together))
@by_the_law
def of_terms_together_one_goes_on(patch: pytest.MonkeyPatch) -> None:
    """What the others have joined is left out."""
    reword(patch, join_order, "joined_terms", "for op in own))", "for op in own[:1]))")
