"""Right SQL, read as something else: subqueries above all."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlglot import exp

from tests.laws import on_models
from tests.oracle.generate_queries import asking_models
from tests.planted.planting import Plant, found_by
from trickle.lower.select import conditions, expressions
from trickle.lower.session import Session
from trickle.lower.subqueries import correlation, dependent, subqueries
from trickle.operators import Aggregate, Project, TopK
from trickle.plan.op import Op
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.sql.build import operand


def found_in_models(within: int) -> Callable[[Plant], Plant]:
    return found_by(on_models.lowered_is_the_model, within=within, drawn=asking_models())


@found_in_models(within=400)
def outer_values_are_looked_up_with_equals(patch: pytest.MonkeyPatch) -> None:
    """What is computed for each outer value is not computed for NULL."""
    patch.setattr(dependent, "same", lambda left, right: exp.EQ(this=operand(left), expression=operand(right)))


@found_in_models(within=800)
def a_total_of_no_rows_is_no_row(patch: pytest.MonkeyPatch) -> None:
    """A grouping of everything, computed for each outer value, forgets those for which there are no rows."""
    keep = dependent.Computing._grouped  # noqa: SLF001 - the rule itself is what is broken here

    def grouped(self: dependent.Computing, op: Aggregate) -> dependent.Computed:
        if op.keys:
            return keep(self, op)
        below = self.visit(op.child)
        keys = tuple(Named(own, column_scalar(own)) for own in below.domain_columns.values())
        return dependent.Computed(Aggregate(below.op, keys, op.measures), below.domain_columns)

    patch.setattr(dependent.Computing, "_grouped", grouped)


@found_in_models(within=800)
def a_count_of_no_rows_is_unknown(patch: pytest.MonkeyPatch) -> None:
    """The outer join with the groups gives NULL where COUNT gives 0."""
    for module in (dependent, subqueries):
        patch.setattr(module, "over_no_rows", lambda value, _: value)


@found_in_models(within=400)
def a_limit_holds_for_all_outer_rows_together(patch: pytest.MonkeyPatch) -> None:
    """The first rows of a subquery are numbered once, and not for each outer row."""
    for module in (dependent, correlation):
        keep = module.numbered

        def numbered(top: TopK, child: Op, keys: object, session: object, keep=keep) -> Op:  # type: ignore[no-untyped-def]
            alone = Named("nobody", Scalar(exp.true()))
            return keep(top, child, (alone,), session)

        patch.setattr(module, "numbered", numbered)


@found_in_models(within=400)
def rows_of_the_domain_are_not_told_apart(patch: pytest.MonkeyPatch) -> None:
    """Equal outer rows are a combination of values each, so that what belongs to them comes twice."""

    def computed_for(inner: Op, outer: Op, asked: dependent.Asked, session: Session) -> dependent.Computed:
        items = tuple(Named(session.names.fresh(name), Scalar(tree.copy())) for name, tree in asked.items())
        every = Project(outer, items)
        return dependent.Computing(dependent.Computed(every, dict(zip(asked, every.schema.names))), session).visit(
            inner
        )

    patch.setattr(subqueries, "computed_for", computed_for)


@found_in_models(within=200)
def not_in_is_taken_for_the_opposite_of_in(patch: pytest.MonkeyPatch) -> None:
    """A match that is UNKNOWN does not keep a row out of NOT IN."""
    patch.setattr(expressions, "is_negated", lambda _: False)


@found_in_models(within=200)
def in_is_taken_for_the_opposite_of_not_in(patch: pytest.MonkeyPatch) -> None:
    """A match that is UNKNOWN counts as one, whether NOT stands above or not."""
    patch.setattr(expressions, "is_negated", lambda _: True)


@found_in_models(within=200)
def not_is_lost_above_a_mark(patch: pytest.MonkeyPatch) -> None:
    """NOT EXISTS keeps the rows that EXISTS does."""
    keep = subqueries._whole_mark  # noqa: SLF001 - the rule itself is what is broken here
    patch.setattr(subqueries, "_whole_mark", lambda part, session: (keep(part, session)[0], False))


@found_in_models(within=800)
def conditions_of_a_kept_side_filter_it(patch: pytest.MonkeyPatch) -> None:
    """LEFT JOIN … ON EXISTS (…): rows of the left side go that should stand beside NULLs."""
    patch.setattr(conditions, "_filtered_sides", lambda _: conditions.BOTH)


@found_in_models(within=400)
def a_correlated_grouping_is_one_group(patch: pytest.MonkeyPatch) -> None:
    """The rows of all outer rows are aggregated together, and that is given to each."""
    keep = subqueries._aggregated  # noqa: SLF001 - the rule itself is what is broken here

    def aggregated(aggregate, values, single, session):  # type: ignore[no-untyped-def]
        found = keep(aggregate, values, single, session)
        if not isinstance(found, subqueries.Value) or not found.rows.conditions:
            return found
        whole = Aggregate(found.rows.op.children[0], (), aggregate.measures)
        return subqueries.Value(subqueries.Lifted(whole), values, single)

    patch.setattr(subqueries, "_aggregated", aggregated)
