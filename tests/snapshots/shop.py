"""The tables that the snapshots and the operator pages speak of: a small shop, as the engine is told about it."""

from __future__ import annotations

from collections.abc import Mapping

from trickle import (
    Column,
    CompiledView,
    Frontier,
    Name,
    Probe,
    Relation,
    SourcePosition,
    Stamp,
    StreamTable,
    Table,
    View,
)
from trickle.catalog.change_sources import ChangedRows, FeedRange
from trickle.catalog.changed_rows import Changes
from trickle.catalog.happened import Appended, Changed, Overwritten, Unchanged
from trickle.catalog.probe import TableSize, Volume
from trickle.plan.instant import Clock, Instants
from trickle.plan.ranges import ColumnStatistics, FileStatistics, Ranges
from trickle.reasons import reason

ORDERS = (
    Column("order_id", "bigint"),
    Column("customer_id", "bigint"),
    Column("status", "string"),
    Column("amount", "decimal(10,2)"),
)
CUSTOMERS = (Column("customer_id", "bigint"), Column("name", "string"), Column("country", "string"))
PARTS = (Column("part_id", "bigint"), Column("inside", "bigint"), Column("pieces", "int"))
"""A bill of materials: each part lies in another one, so many times."""

RELATIONS: Mapping[Name, Relation] = {
    ("shop", "orders"): Table(("shop", "orders"), ORDERS),
    ("shop", "old_orders"): Table(("shop", "old_orders"), ORDERS),
    ("shop", "customers"): Table(("shop", "customers"), CUSTOMERS),
    ("shop", "paid_orders"): StreamTable(("shop", "paid_orders"), ORDERS, ("shop", "paid_orders__trickle")),
    ("shop", "rates_csv"): Table(("shop", "rates_csv"), (Column("currency", "string"),), versioned=False),
    ("shop", "local_days"): Table(
        ("shop", "local_days"),
        (Column("day", "date"),),
        versioned=False,
        because=reason(
            "view_by_name",
            what="shop.local_days",
            detail="it was created under spark.sql.session.timeZone Europe/Amsterdam, and here that is UTC",
        ),
    ),
    ("shop", "parts"): Table(("shop", "parts"), PARTS),
    ("shop", "visits"): Table(("shop", "visits"), (Column("customer_id", "bigint"), Column("day", "date"))),
    ("shop", "events"): Table(("shop", "events"), (Column("id", "bigint"), Column("tags", "map<string,string>"))),
    ("shop", "dutch"): View(("shop", "dutch"), CUSTOMERS, "SELECT * FROM shop.customers WHERE country = 'NL'"),
}
VERSIONS: Mapping[str, int] = {
    "shop.orders": 7,
    "shop.old_orders": 3,
    "shop.customers": 4,
    "shop.paid_orders": 5,
    "shop.parts": 6,
    "shop.visits": 2,
}
"""The versions of the last refresh; what changed is two versions on."""

CLOCK = Clock(Instants(1_774_692_000_000, 1_000, "UTC"), Instants(1_774_778_400_000, 1_000, "UTC"))
"""From one day to the next: the 28th to the 29th of March 2026, ten in the morning."""
CONTRACT = {"time_zone": "UTC", "ansi": "true"}


def resolve(name: Name) -> Relation | None:
    return RELATIONS.get(name)


Kind = type[object]
"""A variant of what can happen to a source: a class that is filled in here."""


CLUSTERED = ColumnStatistics(
    {"order_id": Ranges(((7_000, 7_999),)), "customer_id": Ranges(((17, 17), (20, 45)), null=True)},
    tuple(FileStatistics(2**25, {"customer_id": Ranges(((first, first + 99),))}) for first in (0, 100, 200, 300)),
)
"""Statistics of a source whose files each hold a hundred customers, and of a change that is about a few of them."""


def probes(view: CompiledView, happened: Mapping[str, Kind], rows: ChangedRows | None = None) -> dict[str, Probe]:
    """What a refresh finds: a thousand rows more or fewer in each changed source of a million."""
    return {source.name: _probe(source.name, happened.get(source.name, Unchanged), rows) for source in view.sources}


def _probe(source: str, kind: Kind, rows: ChangedRows | None = None) -> Probe:
    """The changed rows are those of the change feed, unless others are given."""
    before = SourcePosition(f"id of {source}", VERSIONS[source], 1_000)
    size = TableSize(rows=1_000_000)
    if kind is Unchanged:
        return Probe(source, before, Unchanged(), size)
    now = SourcePosition(before.table_id, before.version + 2, 2_000)
    changes = Changes(before, rows or FeedRange(before.version + 1, now.version))
    happened = kind(changes) if kind in (Appended, Changed, Overwritten) else kind()
    return Probe(source, now, happened, size, Volume(added=1_000, removed=0 if kind is Appended else 500))


def last_stamp(view: CompiledView) -> Stamp:
    """The stamp of a last refresh that read every source at its version above."""
    positions = {source.name: _probe(source.name, Unchanged).now for source in view.sources}
    return Stamp(
        node="model.shop.example",
        refresh=1,
        action="FULL",
        reason="first_build",
        strategy="create",
        definition=view.definition,
        contract=CONTRACT,
        frontier=Frontier(positions),
        data_timestamp=1_000,
        engine="0.1",
    )
