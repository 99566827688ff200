"""The operators of users' queries, each under the changes that make a difference to it."""

from __future__ import annotations

from tests.snapshots.snapshot import Snapshot, delta, part, refresh
from trickle import Column, RefreshMode, Schema
from trickle.catalog.change_sources import AddedFiles, NamedFiles
from trickle.catalog.happened import Appended, Changed
from trickle.operators import Recursion

JOINED = """SELECT o.order_id, c.name
FROM shop.orders AS o
JOIN shop.customers AS c ON c.customer_id = o.customer_id"""
THREE = """SELECT o.order_id, c.name, p.amount AS before
FROM shop.orders AS o
JOIN shop.customers AS c ON c.customer_id = o.customer_id
JOIN shop.old_orders AS p ON p.order_id = o.order_id"""
ITSELF = """SELECT a.order_id, b.order_id AS twin
FROM shop.orders AS a
JOIN shop.orders AS b ON b.customer_id = a.customer_id AND b.order_id > a.order_id"""
TOTALS_JOINED = """SELECT c.name, t.total
FROM shop.customers AS c
JOIN (SELECT customer_id, SUM(amount) AS total FROM shop.orders GROUP BY customer_id) AS t
  ON t.customer_id = c.customer_id"""
DISTINCT_JOINED = """SELECT c.name
FROM shop.customers AS c
JOIN (SELECT DISTINCT customer_id FROM shop.orders) AS buyers ON buyers.customer_id = c.customer_id"""
BOTH_YEARS = """SELECT order_id, amount FROM shop.orders
UNION ALL
SELECT order_id, amount FROM shop.old_orders"""
BOTH_BOUGHT = """SELECT customer_id FROM shop.orders
INTERSECT
SELECT customer_id FROM shop.old_orders"""
TREE = """WITH RECURSIVE tree AS (
  SELECT part_id, pieces, 0 AS depth FROM shop.parts WHERE inside IS NULL
  UNION ALL
  SELECT p.part_id, t.pieces * p.pieces, t.depth + 1 FROM shop.parts AS p JOIN tree AS t ON p.inside = t.part_id
)
SELECT part_id, pieces, depth FROM tree"""
FOLLOWED = """WITH RECURSIVE round AS (
  SELECT order_id, amount, 1 AS month FROM shop.orders
  UNION ALL
  SELECT order_id, amount, month + 1 FROM round WHERE month < 3
)
SELECT month, SUM(amount) AS due FROM round GROUP BY month"""

OPERATORS = (
    Snapshot(
        "scan/appended",
        "The change of a table that was only appended to: the added rows, each with weight 1.",
        "SELECT order_id, amount FROM shop.orders",
        delta,
        {"shop.orders": Appended},
    ),
    Snapshot(
        "scan/appended_files",
        "The same without a change feed: the rows of the files that were added.",
        "SELECT order_id, amount FROM shop.orders",
        delta,
        {"shop.orders": Appended},
        rows=AddedFiles(("/shop/orders/part-7.parquet", "/shop/orders/part-8.parquet")),
    ),
    Snapshot(
        "scan/appended_among_others",
        "The same where a file cannot be read by itself: the table's rows that lie in the added files.",
        "SELECT order_id, amount FROM shop.orders",
        delta,
        {"shop.orders": Appended},
        rows=NamedFiles(("part-7.parquet", "part-8.parquet"), 9),
    ),
    Snapshot(
        "recursion/step_changed",
        "The changed rows, and what the old tree makes of changed rows, are followed through the step as it is now.",
        TREE,
        refresh("merge_by_key"),
        {"shop.parts": Changed},
    ),
    Snapshot(
        "recursion/anchor_changed",
        "The step reads no table: only the changed rows of the anchor are followed.",
        FOLLOWED,
        part(Recursion),
        {"shop.orders": Appended},
    ),
    Snapshot(
        "scan/stream_table",
        "Reading a stream table: its storage's change feed, weights multiplied by the stored count.",
        "SELECT order_id, amount FROM shop.paid_orders",
        delta,
        {"shop.paid_orders": Changed},
    ),
    Snapshot(
        "values/joined",
        "Constant rows never change: they are printed where the change meets them.",
        "SELECT o.order_id, o.amount * r.rate AS euros FROM shop.orders AS o CROSS JOIN (SELECT 0.9 AS rate) AS r",
        delta,
        {"shop.orders": Changed},
    ),
    Snapshot(
        "filter/changed",
        "The change of a filter is the filter of the change.",
        "SELECT order_id, amount FROM shop.orders WHERE status = 'paid' AND amount > 10",
        delta,
        {"shop.orders": Changed},
    ),
    Snapshot(
        "project/changed",
        "The change of a projection is the projection of the change; weights pass through.",
        "SELECT order_id, UPPER(status) AS status, amount * 2 AS doubled FROM shop.orders",
        delta,
        {"shop.orders": Changed},
    ),
    Snapshot(
        "join/left_changed",
        "Only the left side changed: one term, its change against the right side as it is.",
        JOINED,
        delta,
        {"shop.orders": Changed},
    ),
    Snapshot(
        "join/right_changed",
        "Only the right side changed: one term, the left side against the right side's change.",
        JOINED,
        delta,
        {"shop.customers": Changed},
    ),
    Snapshot(
        "join/both_changed",
        "Both sides changed: two terms, the first reads the right side after, the second the left side before.",
        JOINED,
        delta,
        {"shop.orders": Changed, "shop.customers": Appended},
    ),
    Snapshot(
        "join/one_of_three_changed",
        "Three tables, one changed: one term is left of three.",
        THREE,
        delta,
        {"shop.customers": Changed},
    ),
    Snapshot(
        "join/with_itself",
        "A table joined with itself is two sides with the same change.",
        ITSELF,
        delta,
        {"shop.orders": Changed},
    ),
    Snapshot(
        "union_all/one_changed",
        "The branch that did not change is gone.",
        BOTH_YEARS,
        delta,
        {"shop.orders": Changed},
    ),
    Snapshot(
        "union_all/both_changed",
        "The change of a union is the union of the changes.",
        BOTH_YEARS,
        delta,
        {"shop.orders": Changed, "shop.old_orders": Appended},
    ),
    Snapshot(
        "aggregate/at_the_top",
        "A grouping at the top is maintained from its stored states: the sources are not read again.",
        "SELECT customer_id, SUM(amount) AS total FROM shop.orders GROUP BY customer_id",
        refresh("merge_by_key"),
        {"shop.orders": Changed},
    ),
    Snapshot(
        "aggregate/without_keys",
        "A grouping without keys has one row, which stays when the last input row goes.",
        "SELECT COUNT(*) AS orders, SUM(amount) AS total FROM shop.orders",
        refresh("merge_by_key"),
        {"shop.orders": Changed},
    ),
    Snapshot(
        "aggregate/without_states",
        "COUNT(DISTINCT …) has no states: the touched groups are read again.",
        "SELECT customer_id, COUNT(DISTINCT status) AS kinds FROM shop.orders GROUP BY customer_id",
        refresh("replace_groups"),
        {"shop.orders": Changed},
    ),
    Snapshot(
        "aggregate/below_a_join",
        "A grouping below another operator recomputes the touched groups, before and after.",
        TOTALS_JOINED,
        delta,
        {"shop.orders": Changed},
    ),
    Snapshot(
        "distinct/at_the_top",
        "DISTINCT at the top is a grouping by all columns: stored rows know how many input rows they represent.",
        "SELECT DISTINCT country FROM shop.customers",
        refresh("merge_by_key"),
        {"shop.customers": Changed},
    ),
    Snapshot(
        "distinct/below_a_join",
        "DISTINCT below another operator is run for the touched rows, before and after.",
        DISTINCT_JOINED,
        delta,
        {"shop.orders": Changed},
    ),
    Snapshot(
        "aggregate/intersect",
        "INTERSECT at the top is a grouping of both branches that counts each row's copies on either side.",
        BOTH_BOUGHT,
        refresh("merge_by_key"),
        {"shop.orders": Changed},
    ),
    Snapshot(
        "window/changed",
        "The touched partitions are computed again, before and after; a column breaks the ties of the user's order.",
        "SELECT order_id, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY amount DESC) AS place FROM shop.orders",
        delta,
        {"shop.orders": Changed},
    ),
    Snapshot(
        "window/suffix",
        "Over all rows: stored rows from the first changed place on are answered again, going on from those before.",
        "SELECT order_id, amount, RANK() OVER (ORDER BY amount DESC) AS place FROM shop.orders",
        refresh("replace_suffix"),
        {"shop.orders": Changed},
    ),
    Snapshot(
        "window/neighbours",
        "Only neighbours are looked at: the stretch ends a row after the last changed place.",
        "SELECT order_id, LAG(amount) OVER (ORDER BY order_id) AS earlier FROM shop.orders",
        refresh("replace_neighbours"),
        {"shop.orders": Changed},
    ),
    Snapshot(
        "explode/changed",
        "The change of what rows are made into is what the changed rows are made into.",
        "SELECT order_id, word FROM shop.orders LATERAL VIEW EXPLODE(SPLIT(status, ' ')) AS word",
        delta,
        {"shop.orders": Changed},
    ),
    Snapshot(
        "explode/grouping_sets",
        "ROLLUP counts a row once for each of its groupings: it is made into as many rows, and those are grouped.",
        "SELECT status, customer_id, SUM(amount) AS total FROM shop.orders GROUP BY ROLLUP (status, customer_id)",
        refresh("merge_by_key"),
        {"shop.orders": Changed},
    ),
    Snapshot(
        "top_k/changed",
        "The first rows of an order: the stored ones, some more than are shown, and the change are put in order again.",
        "SELECT order_id, amount FROM shop.orders ORDER BY amount DESC LIMIT 10",
        refresh("replace_top"),
        {"shop.orders": Changed},
    ),
    Snapshot(
        "recompute/changed",
        "The query is run whole; the stored rows are taken off its result, and only the difference is written.",
        "SELECT order_id, amount - AVG(amount) OVER () AS above FROM shop.orders",
        refresh("recount", RefreshMode.AUTO),
        {"shop.orders": Changed},
        Schema((Column("order_id", "bigint"), Column("above", "decimal(15,6)"))),
    ),
)
