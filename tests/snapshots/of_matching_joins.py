"""The joins that ask whether a row has a match: outer, semi, anti and mark joins, and subqueries made of them."""

from __future__ import annotations

from tests.snapshots.snapshot import Snapshot, delta
from trickle.catalog.happened import Changed

CUSTOMERS, ORDERS = {"shop.customers": Changed}, {"shop.orders": Changed}
LEFT = """SELECT c.name, o.order_id
FROM shop.customers AS c
LEFT JOIN shop.orders AS o ON o.customer_id = c.customer_id"""
FULL = """SELECT n.order_id, n.amount, p.amount AS before
FROM shop.orders AS n
FULL JOIN shop.old_orders AS p ON p.order_id = n.order_id"""
TOTAL = """SELECT c.name, (SELECT SUM(o.amount) FROM shop.orders AS o WHERE o.customer_id = c.customer_id) AS total
FROM shop.customers AS c"""
BUYERS = """SELECT c.name
FROM shop.customers AS c
WHERE EXISTS (SELECT 1 FROM shop.orders AS o WHERE o.customer_id = c.customer_id AND o.status = 'paid')"""
OTHERS = """SELECT c.name
FROM shop.customers AS c
WHERE NOT EXISTS (SELECT 1 FROM shop.orders AS o WHERE o.customer_id = c.customer_id)"""
NOT_AMONG = "SELECT name FROM shop.customers WHERE customer_id NOT IN (SELECT customer_id FROM shop.orders)"
ABOVE = "SELECT order_id FROM shop.orders WHERE amount > (SELECT AVG(amount) FROM shop.old_orders)"
BUYS = """SELECT c.name, EXISTS (SELECT 1 FROM shop.orders AS o WHERE o.customer_id = c.customer_id) AS buys
FROM shop.customers AS c"""

MATCHING_JOINS = (
    Snapshot(
        "outer_join/left_changed",
        "Only the left side changed: its changed rows, joined with the right side as it is.",
        LEFT,
        delta,
        CUSTOMERS,
    ),
    Snapshot(
        "outer_join/right_changed",
        "Only the right side changed: its pairs come and go; left rows that lose or find their match are looked up.",
        LEFT,
        delta,
        ORDERS,
    ),
    Snapshot(
        "outer_join/full_both_changed",
        "A FULL JOIN of which both sides changed: as a LEFT JOIN, and the unmatched right rows that come and go.",
        FULL,
        delta,
        {"shop.orders": Changed, "shop.old_orders": Changed},
    ),
    Snapshot(
        "outer_join/correlated_subquery",
        "A correlated scalar subquery is a LEFT JOIN with its groups: touched groups before and after, and empty ones.",
        TOTAL,
        delta,
        ORDERS,
    ),
    Snapshot(
        "semi_join/bound_moved",
        "An average that rows are compared with moved: of the other side only the rows between the old and the new.",
        ABOVE,
        delta,
        {"shop.old_orders": Changed},
    ),
    Snapshot(
        "semi_join/left_changed",
        "Only the left side changed: those of its changed rows that have a match.",
        BUYERS,
        delta,
        CUSTOMERS,
    ),
    Snapshot(
        "semi_join/right_changed",
        "Only the right side changed: the left rows that its change matches, with a match before and with one after.",
        BUYERS,
        delta,
        ORDERS,
    ),
    Snapshot(
        "semi_join/anti_right_changed",
        "An anti join: the same left rows, without a match before and without one after.",
        OTHERS,
        delta,
        ORDERS,
    ),
    Snapshot(
        "semi_join/not_in",
        "NOT IN is an anti join in which a comparison that is NULL counts as a match.",
        NOT_AMONG,
        delta,
        ORDERS,
    ),
    Snapshot(
        "mark_join/right_changed",
        "EXISTS as a column: the left rows that the change matches, with their mark before and after.",
        BUYS,
        delta,
        ORDERS,
    ),
)
