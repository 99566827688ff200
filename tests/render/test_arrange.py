"""Groupings inside a query as tables of their own: which are taken, what reads them, and where it pays."""

from __future__ import annotations

import pytest

from tests.facts import compiled
from tests.snapshots.shop import resolve
from trickle import CompiledView, FloatSums, Name, Options, StreamTable
from trickle.operators import Aggregate, Scan
from trickle.plan.op import walk
from trickle.plan.ranges import ColumnStatistics, FileStatistics, Ranges
from trickle.plan.read_class import ReadClass
from trickle.planning.arrange import Arranged, arranged
from trickle.planning.maintenance_reads import maintenance_reads
from trickle.planning.worth_arranging import (
    LEAST_IN_A_GROUP,
    LEAST_ROWS,
    SourceFacts,
    worth_arranging,
)

NESTED = """
SELECT n, COUNT(*) AS customers
FROM (SELECT customer_id, COUNT(*) AS n FROM shop.orders GROUP BY customer_id) GROUP BY n
"""
ABOVE = """
SELECT o.order_id FROM shop.orders AS o
WHERE o.amount > (SELECT AVG(i.amount) FROM shop.orders AS i WHERE i.customer_id = o.customer_id)
"""


def over_parts(text: str, options: Options = Options()) -> Arranged | None:  # noqa: B008 - frozen
    return arranged(compiled(text, resolve, options=options), lambda made: ("shop", f"m__part_{made}"), lambda *_: True)


def read_back(over: Arranged) -> CompiledView:
    """The query over its arrangements, compiled as the adapter does."""
    tables = {
        own.name: StreamTable(
            own.name, tuple(compiled(own.query, resolve).shown), (own.name[0], f"{own.name[1]}__trickle")
        )
        for own in over.arrangements
    }
    return compiled(over.query, lambda name: tables.get(name) or resolve(name))


@pytest.mark.parametrize("text", [NESTED, ABOVE])
def test_the_query_over_parts_has_its_columns_and_reads_by_change(text: str) -> None:
    """What read touched groups again from the sources reads their change instead."""
    over = over_parts(text)
    assert over is not None
    (part,) = over.arrangements
    view = read_back(over)

    assert maintenance_reads(compiled(text, resolve)).read_class is ReadClass.BY_KEY
    assert maintenance_reads(compiled(part.query, resolve)).read_class is ReadClass.BY_CHANGE
    assert view.columns.names == compiled(text, resolve).columns.names
    assert ".".join(part.name) in {source.name for source in view.sources}


def test_the_same_grouping_is_stored_once() -> None:
    """A CTE that is read twice is one table."""
    over = over_parts(
        "WITH t AS (SELECT customer_id, SUM(amount) AS total FROM shop.orders GROUP BY customer_id) "
        "SELECT * FROM t WHERE total = (SELECT MAX(total) FROM t)"
    )

    assert over is not None and len(over.arrangements) == 1
    assert over.query.count(over.arrangements[0].name[1]) == 2


@pytest.mark.parametrize(
    "text",
    [
        "SELECT customer_id, COUNT(*) AS n FROM shop.orders GROUP BY customer_id",
        "SELECT n, COUNT(*) FROM (SELECT customer_id, STDDEV(amount) AS n FROM shop.orders GROUP BY 1) GROUP BY n",
        "SELECT order_id FROM shop.orders WHERE amount > (SELECT AVG(amount) FROM shop.orders)",
        f"SELECT * FROM ({NESTED}) ORDER BY customers DESC LIMIT 3",
        NESTED.replace("GROUP BY customer_id", "WHERE status < CAST(current_date() AS STRING) GROUP BY customer_id"),
    ],
)
def test_what_has_nothing_to_store(text: str) -> None:
    """The top grouping, calls without states, one row for everything, ties, and the clock."""
    assert over_parts(text) is None


def test_the_innermost_grouping_is_stored() -> None:
    """What groups it again reads its change, and its rows."""
    twice = f"SELECT customers, COUNT(*) AS m FROM ({NESTED}) GROUP BY customers"
    over = over_parts(twice)

    assert over is not None and len(over.arrangements) == 1
    assert "GROUP BY" in over.query


def grouping(text: str) -> Aggregate:
    plan = compiled(text, resolve).plan
    return next(op for op in walk(plan) if isinstance(op, Aggregate) and isinstance(op.child, Scan))


def spread(column: str, *ranges: tuple[int, int]) -> ColumnStatistics:
    return ColumnStatistics(files=tuple(FileStatistics(100, {column: Ranges((own,))}) for own in ranges))


MANY = LEAST_ROWS // LEAST_IN_A_GROUP


@pytest.mark.parametrize(
    ("rows", "statistics", "pays"),
    [
        (LEAST_ROWS, spread("customer_id", (1, MANY), (2, 99), (1, 98)), True),
        (LEAST_ROWS, spread("customer_id", (1, MANY + 1), (2, 99), (1, 98)), False),
        (LEAST_ROWS, spread("customer_id", (1, 33), (34, 66), (67, 99)), False),
        (LEAST_ROWS, spread("customer_id", (1, 100)), True),
        (LEAST_ROWS, spread("order_id", (1, 33), (1, 66)), False),
        (LEAST_ROWS, ColumnStatistics(), False),
        (LEAST_ROWS - 1, spread("customer_id", (1, 100)), False),
    ],
)
def test_storing_pays_where_groups_are_read_from_everywhere(
    rows: int, statistics: ColumnStatistics, pays: bool
) -> None:
    """Of a large source whose files cannot be left out by the key, and of which there are surely few groups."""
    assert worth_arranging(grouping(NESTED), {"shop.orders": SourceFacts(rows, statistics)}) is pays


def test_two_keys_may_be_as_many_as_their_product() -> None:
    """Nothing is known of how they go together."""
    both = NESTED.replace("SELECT customer_id, COUNT", "SELECT customer_id, order_id, COUNT")
    op = grouping(both.replace("BY customer_id", "BY customer_id, order_id"))
    ranges = {"customer_id": Ranges(((1, 2_000),)), "order_id": Ranges(((1, 2_000),))}
    one_file = ColumnStatistics(files=(FileStatistics(100, ranges),))

    assert not worth_arranging(op, {"shop.orders": SourceFacts(LEAST_ROWS, one_file)})
    assert worth_arranging(op, {"shop.orders": SourceFacts(4 * LEAST_ROWS, one_file)})


def test_names_say_which_query_they_are_of() -> None:
    """Another grouping is another table; other words for the same are not."""

    def named(text: str) -> list[Name]:
        over = over_parts(text)
        return [] if over is None else [own.name for own in over.arrangements]

    assert named(NESTED) == named(NESTED.replace("SELECT n,", "SELECT   n AS n,"))
    assert named(NESTED) != named(NESTED.replace("COUNT(*) AS n", "SUM(amount) AS n"))


def test_float_sums_that_may_drift_are_not_stored_apart() -> None:
    """Only the adapter decides that; the engine takes what has states under the model's options."""
    text = NESTED.replace("COUNT(*) AS n", "SUM(CAST(amount AS DOUBLE)) AS n")

    assert over_parts(text) is None
    assert over_parts(text, Options(float_sums=FloatSums.FAST)) is not None
