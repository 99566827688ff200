"""The measured queries: six shapes, and for each the rows of its result that a change touches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.sources import Sources

Text = Callable[[Sources], str]


@dataclass(frozen=True)
class Cell:
    """A shape of query; `key` identifies a row of its result."""

    name: str
    query: Text
    key: tuple[str, ...]
    touched: Callable[[Sources, int], str]
    """A query of the keys that changed since a version of the sources, with the columns of `key`."""
    reads_returns: bool = False


def _scan(of: Sources) -> str:
    return f"select id, customer, status, amount, quantity, placed_at, note from {of.orders}"


def _filter(of: Sources) -> str:
    return f"select id, customer, amount, placed_at from {of.orders} where status = 'open' and amount >= 100"


def _aggregate(of: Sources) -> str:
    return (
        "select customer, count(*) as orders, sum(amount) as amount, avg(quantity) as mean_quantity "
        f"from {of.orders} group by customer"
    )


def _join(of: Sources) -> str:
    return (
        "select o.id, o.amount, o.status, c.name, c.segment "
        f"from {of.orders} o join {of.customers} c on o.customer = c.customer"
    )


def _join_aggregate(of: Sources) -> str:
    return (
        "select c.segment, c.country, count(*) as orders, sum(o.amount) as amount "
        f"from {of.orders} o join {of.customers} c on o.customer = c.customer group by c.segment, c.country"
    )


def _union_all(of: Sources) -> str:
    return (
        f"select 'order' as kind, id, customer, amount from {of.orders} "
        f"union all select 'return' as kind, id, customer, -amount from {of.returns}"
    )


def _ids(of: Sources, version: int) -> str:
    return f"select distinct id from {_changes(of.orders, version)}"


def _customers(of: Sources, version: int) -> str:
    return f"select distinct customer from {_changes(of.orders, version)}"


def _segments(of: Sources, version: int) -> str:
    return (
        f"select distinct c.segment, c.country from {_changes(of.orders, version)} o "
        f"join {of.customers} c on o.customer = c.customer"
    )


def _both_kinds(of: Sources, version: int) -> str:
    return (
        f"select distinct 'order' as kind, id from {_changes(of.orders, version)} "
        f"union all select distinct 'return' as kind, id from {_changes(of.returns, version)}"
    )


def _changes(table: str, version: int) -> str:
    return f"table_changes('{table}', {version})"


CELLS = (
    Cell("scan", _scan, ("id",), _ids),
    Cell("filter", _filter, ("id",), _ids),
    Cell("aggregate", _aggregate, ("customer",), _customers),
    Cell("join", _join, ("id",), _ids),
    Cell("join_aggregate", _join_aggregate, ("segment", "country"), _segments),
    Cell("union_all", _union_all, ("kind", "id"), _both_kinds, reads_returns=True),
)
