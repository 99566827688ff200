"""Every way a change reaches the storage, and the two queries that look at it: the view and the exact check."""

from __future__ import annotations

from tests.snapshots.snapshot import TARGET, Snapshot, check, refresh
from trickle import RefreshMode
from trickle.catalog.happened import Appended, Changed
from trickle.plan.ranges import ColumnStatistics, FileStatistics, Ranges
from trickle.planning.refresh import facade_select

OLD, NEW = Ranges(((1, 1_000_000),)), Ranges(((1_000_001, 1_001_000),))
LATER = ColumnStatistics(
    {"order_id": NEW},
    (FileStatistics(10**8, {"order_id": OLD}, rows=1_000_000), FileStatistics(10**5, {"order_id": NEW}, rows=1_000)),
)
PAID = "SELECT order_id, amount FROM shop.orders WHERE status = 'paid'"
LATEST = "SELECT customer_id, MAX(order_id) AS latest FROM shop.orders GROUP BY customer_id"
FIRST = "SELECT order_id FROM shop.orders ORDER BY amount DESC LIMIT 10"
RANKED = "SELECT order_id, amount, RANK() OVER (ORDER BY amount DESC) AS place FROM shop.orders"
BEST = """SELECT customer_id, SUM(amount) AS total, RANK() OVER (ORDER BY SUM(amount) DESC) AS place
FROM shop.orders
GROUP BY customer_id
HAVING COUNT(*) > 1"""
KINDS = """SELECT customer_id, RANK() OVER (ORDER BY COUNT(DISTINCT status)) AS place
FROM shop.orders
GROUP BY customer_id"""
BIG = """SELECT customer_id, COUNT(*) AS orders, AVG(amount) AS usual
FROM shop.orders
GROUP BY customer_id
HAVING COUNT(*) > 1"""


def facade(snapshot: Snapshot) -> str:
    return facade_select(snapshot.view, TARGET)


APPLYING = (
    Snapshot(
        "apply/append",
        "The source only gained rows and each gives new rows: they are added, nothing else is read.",
        PAID,
        refresh("append"),
        {"shop.orders": Appended},
    ),
    Snapshot(
        "apply/recount",
        "A result without keys: values that lost copies are removed, what remains of them and what is new is added.",
        PAID,
        refresh("recount"),
        {"shop.orders": Changed},
    ),
    Snapshot(
        "apply/overwrite_rows",
        "A small result without keys: written whole from the stored rows and the change.",
        PAID,
        refresh("overwrite"),
        {"shop.orders": Changed},
    ),
    Snapshot(
        "apply/overwrite_groups",
        "A small grouping: written whole from the stored states and their change.",
        BIG,
        refresh("overwrite"),
        {"shop.orders": Changed},
    ),
    Snapshot(
        "apply/merge_by_key",
        "Sums, counts and averages: the change of each touched group's states is added to what is stored.",
        BIG,
        refresh("merge_by_key"),
        {"shop.orders": Changed},
    ),
    Snapshot(
        "apply/merge_by_key_extremes",
        "MIN and MAX while rows only come: the stored extreme can only move outwards.",
        LATEST,
        refresh("merge_by_key"),
        {"shop.orders": Appended},
    ),
    Snapshot(
        "apply/replace_groups",
        "MAX when rows went: the touched groups are read again and put in the stored ones' place.",
        LATEST,
        refresh("replace_groups"),
        {"shop.orders": Changed},
    ),
    Snapshot(
        "apply/overwrite_all",
        "FULL over a table that exists: the query's own text, pinned to versions, written whole.",
        PAID,
        refresh("overwrite_all", RefreshMode.FULL),
        {"shop.orders": Changed},
    ),
    Snapshot(
        "apply/create_rows",
        "A first build of a result without keys: the query's own text, each row counted once.",
        PAID,
        refresh("create", exists=False),
    ),
    Snapshot(
        "apply/create",
        "A first build of a grouping: rows and states from the source, then the view over them.",
        BIG,
        refresh("create", exists=False),
    ),
    Snapshot(
        "apply/create_top",
        "A first build of the first rows of an order: those that are shown and as many to spare, a hundred at least.",
        FIRST,
        refresh("create", exists=False),
    ),
    Snapshot(
        "apply/create_series",
        "A first build of windows over all rows: each row with its answer, equal rows numbered.",
        RANKED,
        refresh("create", exists=False),
    ),
    Snapshot(
        "apply/overwrite_series",
        "A small order: stored rows and change answered again and written whole.",
        RANKED,
        refresh("overwrite"),
        {"shop.orders": Changed},
    ),
    Snapshot(
        "apply/create_summary",
        "A first build of ranks of groups: each group with its states and with what is shown of it.",
        BEST,
        refresh("create", exists=False),
    ),
    Snapshot(
        "apply/overwrite_summary",
        "Ranks of groups: the change is added to the stored states, and all groups are ranked again from them.",
        BEST,
        refresh("overwrite"),
        {"shop.orders": Changed},
    ),
    Snapshot(
        "apply/overwrite_touched",
        "Without states: touched groups are read again and stand beside the stored ones.",
        KINDS,
        refresh("overwrite_touched"),
        {"shop.orders": Changed},
    ),
    Snapshot(
        "apply/extend",
        "Statistics prove that all new rows come last: they are added with their answers, nothing stored is touched.",
        "SELECT order_id, SUM(amount) OVER (ORDER BY order_id) AS running FROM shop.orders",
        refresh("extend"),
        {"shop.orders": Appended},
        statistics=LATER,
    ),
    Snapshot("apply/facade", "The view users read: every stored row as often as its count says.", PAID, facade),
    Snapshot(
        "apply/exact_check",
        "The test stream_table_exact: rows only stored and rows only computed, at the recorded versions.",
        PAID,
        check,
    ),
)
