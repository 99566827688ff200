"""The operators that only refreshes contain, each cut out of the refresh of a small query."""

from __future__ import annotations

from tests.snapshots.shop import CLUSTERED
from tests.snapshots.snapshot import Snapshot, delta, part
from trickle.catalog.happened import Changed
from trickle.operators import (
    Accumulate,
    Consolidate,
    Empty,
    Lookup,
    Negate,
    Restrict,
    Stored,
    StoredRecursion,
    TouchedKeys,
)

TOTALS = "SELECT customer_id, SUM(amount) AS total FROM shop.orders GROUP BY customer_id"
LATEST = "SELECT customer_id, MAX(order_id) AS latest FROM shop.orders GROUP BY customer_id"
PAID = "SELECT order_id, amount FROM shop.orders WHERE status = 'paid'"
NAMED_TOTALS = """SELECT c.name, t.total
FROM shop.customers AS c
JOIN (SELECT customer_id, SUM(amount) AS total FROM shop.orders GROUP BY customer_id) AS t
  ON t.customer_id = c.customer_id"""
NAMED_ORDERS = """SELECT o.order_id, c.name
FROM shop.orders AS o
JOIN shop.customers AS c ON c.customer_id = o.customer_id"""
TREE_TOTALS = """WITH RECURSIVE tree AS (
  SELECT part_id, 0 AS depth FROM shop.parts WHERE inside IS NULL
  UNION ALL
  SELECT p.part_id, t.depth + 1 FROM shop.parts AS p JOIN tree AS t ON p.inside = t.part_id
)
SELECT depth, COUNT(*) AS parts FROM tree GROUP BY depth"""
ORDERS = {"shop.orders": Changed}


def consolidated(snapshot: Snapshot) -> str:
    """What `recount` and `overwrite` put around a change."""
    return snapshot.rendered(Consolidate(snapshot.change().delta))


def stored(snapshot: Snapshot) -> str:
    return snapshot.rendered(Stored(snapshot.view.columns))


def nothing(snapshot: Snapshot) -> str:
    return snapshot.rendered(Empty(snapshot.view.plan.schema))


def whole(snapshot: Snapshot) -> str:
    """The query itself, as a plan is printed."""
    return snapshot.rendered(snapshot.view.plan)


INTERNALS = (
    Snapshot(
        "stored_recursion/rows",
        "The rows of a recursion as the storage holds them beside what users see, each as often as it occurs.",
        TREE_TOTALS,
        part(StoredRecursion),
        {"shop.parts": Changed},
    ),
    Snapshot(
        "working/round",
        "Inside its step a recursion reads the rows that the round before has made.",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT i FROM n",
        whole,
    ),
    Snapshot(
        "empty/no_rows",
        "No rows, with the right columns. A refresh whose change is empty prints nothing: it is NO_DATA.",
        PAID,
        nothing,
    ),
    Snapshot(
        "negate/groups_before",
        "The touched groups as they were, to be taken away: every weight is -1.",
        NAMED_TOTALS,
        part(Negate),
        ORDERS,
    ),
    Snapshot(
        "consolidate/change",
        "Equal rows of a change meet; what came and went in between is gone.",
        PAID,
        consolidated,
        ORDERS,
    ),
    Snapshot(
        "touched_keys/change",
        "The groups that a change may have touched, each once, whatever the weights.",
        LATEST,
        part(TouchedKeys),
        ORDERS,
    ),
    Snapshot(
        "clock_delta/edge",
        "A day has gone by: the visits of the day that fell out of the week are looked up, and taken away.",
        "SELECT customer_id, day FROM shop.visits WHERE day > current_date() - INTERVAL 7 DAYS",
        delta,
    ),
    Snapshot(
        "restrict/touched_groups",
        "The rows of the touched groups as they are now; a NULL key finds its rows too.",
        LATEST,
        part(Restrict),
        ORDERS,
    ),
    Snapshot(
        "accumulate/sums",
        "What the stored states of every touched group gain or lose; groups whose states stay are left out.",
        TOTALS,
        part(Accumulate),
        ORDERS,
    ),
    Snapshot(
        "lookup/recomputed_groups",
        "Each touched key beside its group's new row, or beside NULLs when the group is gone.",
        LATEST,
        part(Lookup),
        ORDERS,
    ),
    Snapshot(
        "stored/rows",
        "The rows users see before this refresh; the count is the weight.",
        PAID,
        stored,
    ),
    Snapshot(
        "within/changed_customers",
        "The statistics of the files with the changed customers say where their keys lie: the orders are read there.",
        NAMED_ORDERS,
        delta,
        {"shop.customers": Changed},
        statistics=CLUSTERED,
    ),
)
