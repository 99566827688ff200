"""Classes that are better than the plan."""

from __future__ import annotations

from typing import Any

import pytest

from tests.laws import statements
from tests.oracle.generate_plans import joined_examples, stored_examples
from tests.planted.planting import found_by
from trickle.delta import table_reads
from trickle.operators import Aggregate, Distinct, Join, TouchedKeys, Window
from trickle.plan.op import Op
from trickle.plan.read_class import ReadClass

MET = table_reads.Demand(ReadClass.BY_CHANGE)


@found_by(statements.what_is_by_change_is_only_met, within=500, drawn=stored_examples())
def a_grouping_reads_what_is_asked_of_it(patch: pytest.MonkeyPatch) -> None:
    """As if one row of a group were enough to know the group."""
    keep = table_reads._demands  # noqa: SLF001

    def demands(root: Op, demand: table_reads.Demand, narrow: table_reads.Narrow) -> tuple[table_reads.Demand, ...]:
        return (MET,) if isinstance(root, (Aggregate, Distinct, Window)) else keep(root, demand, narrow)

    patch.setattr(table_reads, "_demands", demands)


@found_by(statements.what_is_by_change_is_only_met, within=1000, drawn=stored_examples())
def touched_keys_are_taken_for_the_change(patch: pytest.MonkeyPatch) -> None:
    """A row whose match is asked for again is not one that changed."""
    keep = table_reads._narrowness  # noqa: SLF001

    def narrowness(root: Op, narrow: table_reads.Narrow) -> ReadClass | None:
        return ReadClass.BY_CHANGE if isinstance(root, TouchedKeys) else keep(root, narrow)

    patch.setattr(table_reads, "_narrowness", narrowness)


@found_by(statements.what_is_by_change_is_only_met, within=2000, drawn=joined_examples())
def a_join_of_tables_is_taken_for_its_rows(patch: pytest.MonkeyPatch) -> None:
    """What meets a change is looked for in a join that is computed first."""
    keep = table_reads._of_sides  # noqa: SLF001

    def of_sides(op: Any, demand: table_reads.Demand, narrow: Any, leading: Any) -> Any:
        given = keep(op, demand, narrow, leading)
        wide = isinstance(op, Join) and given == (table_reads.EVERYTHING, table_reads.EVERYTHING)
        return (MET, MET) if wide else given

    patch.setattr(table_reads, "_of_sides", of_sides)
