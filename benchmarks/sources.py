"""The tables the cells read, and their change in every round."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.workspace import SCHEMA, Workspace

ROWS_PER_CUSTOMER = 100
THOUSANDTHS = 1000


@dataclass(frozen=True)
class Sources:
    """Orders (and half as many returns) of one size, with the customers who placed them."""

    rows: int
    changed: float = 0.01
    """Share of the orders and returns that a round changes: 6 parts updates, 2 deletes, 2 inserts."""
    both_sides: bool = False
    """Whether customers change too: then a join has a term for either side."""
    with_returns: bool = True
    """Whether a cell reads the returns: creating and changing them takes a third of the time."""

    @property
    def orders(self) -> str:
        return f"{SCHEMA}.orders_{self.rows}"

    @property
    def returns(self) -> str:
        return f"{SCHEMA}.returns_{self.rows}"

    @property
    def customers(self) -> str:
        return f"{SCHEMA}.customers_{self.rows}"

    @property
    def customer_count(self) -> int:
        return max(10, self.rows // ROWS_PER_CUSTOMER)

    def create(self, workspace: Workspace) -> None:
        """Create all tables."""
        for table, rows in self._changing():
            workspace.rows(_create(table, f"select {self._order()} from range({rows})"))
        customers = (
            "select id as customer, concat('customer ', id) as name, "
            "element_at(array('retail', 'trade', 'public', 'online'), cast(id % 4 + 1 as int)) as segment, "
            f"cast(id % 50 as int) as country from range({self.customer_count})"
        )
        workspace.rows(_create(self.customers, customers))

    def change(self, workspace: Workspace, round_number: int) -> None:
        """One commit on each changing table, the same for every approach."""
        for table, rows in self._changing():
            workspace.rows(self._change_orders(table, rows, round_number))
        if self.both_sides:
            threshold = round(self.changed * THOUSANDTHS)
            workspace.rows(
                f"update {self.customers} set name = concat('customer ', customer, ' after {round_number}') "
                f"where pmod(xxhash64(customer, {round_number}), {THOUSANDTHS}) < {threshold}"
            )

    def _changing(self) -> tuple[tuple[str, int], ...]:
        orders, returns = (self.orders, self.rows), (self.returns, self.rows // 2)
        return (orders, returns) if self.with_returns else (orders,)

    def _change_orders(self, table: str, rows: int, round_number: int) -> str:
        parts = self.changed * THOUSANDTHS
        updates, deletes = round(parts * 0.6), round(parts * 0.8)
        bucket = f"pmod(xxhash64(id, {round_number}), {THOUSANDTHS})"
        first_new = rows + round_number * rows
        new = f"range({first_new}, {first_new + round(rows * self.changed * 0.2)})"
        return (
            f"merge into {table} t using ("
            f"select {self._order()}, {bucket} < {updates} as stays "
            f"from (select id from {table}) where {bucket} < {deletes} "
            f"union all select {self._order()}, true as stays from {new}"
            ") s on t.id = s.id "
            "when matched and not s.stays then delete "
            f"when matched then update set amount = t.amount + {round_number}, status = "
            "element_at(array('open', 'paid', 'sent', 'closed', 'lost'), cast(pmod(t.quantity + "
            f"{round_number}, 5) + 1 as int)) "
            "when not matched then insert (id, customer, status, amount, quantity, placed_at, note) "
            "values (s.id, s.customer, s.status, s.amount, s.quantity, s.placed_at, s.note)"
        )

    def _order(self) -> str:
        return (
            f"id, pmod(xxhash64(id), {self.customer_count}) as customer, "
            "element_at(array('open', 'paid', 'sent', 'closed', 'lost'), cast(id % 5 + 1 as int)) as status, "
            "cast(pmod(xxhash64(id, 7), 100000) / 100 as decimal(12, 2)) as amount, "
            "cast(id % 17 as int) as quantity, timestamp_seconds(1700000000 + id) as placed_at, "
            "concat('order number ', id) as note"
        )


def _create(table: str, query: str) -> str:
    return (
        f"create or replace table {table} using delta tblproperties "
        f"('delta.enableChangeDataFeed' = 'true', 'delta.enableDeletionVectors' = 'true') as {query}"
    )
