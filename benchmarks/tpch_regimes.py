"""What a round does to TPC-H's tables, as statements: three regimes, each the same for every variant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.tpch_tables import SCHEMA

PERCENT = {"append": 0.1, "refresh": 0.1, "mixed": 1.0}
"""Regime → percent of the orders that come, unless asked otherwise.

append: new orders come with their line items, and nothing else happens. refresh: a contiguous range of old orders also
goes (TPC-H's RF1 and RF2). mixed: orders also go at random, and a quarter of the share of four other tables is updated.
"""

KEYS = 6_000_000
"""The greatest order key at scale factor 1: TPC-H uses eight keys of every 32."""

PARTS = 1_000_000
"""Into so many parts the rows are hashed; a share is a number of parts."""

ORDERS = (("orders", "o_orderkey", "o_totalprice"), ("lineitem", "l_orderkey", "l_extendedprice"))
"""Table, its key of the order, and an amount of its rows."""


@dataclass(frozen=True)
class Change:
    """The change of one round. Numbers go on from regime to regime, so that no key comes twice."""

    regime: str
    percent: float
    scale: float
    number: int

    @property
    def last_key(self) -> int:
        """The greatest key among the orders that were generated."""
        return round(KEYS * self.scale)

    def statements(self) -> tuple[str, ...]:
        """One commit each."""
        match self.regime:
            case "append":
                return tuple(self._new_orders())
            case "refresh":
                return (*self._new_orders(), *self._without_a_range())
            case "mixed":
                return (*self._new_orders(), *self._without_some(), *self._updates())
            case _:
                raise ValueError(f"There is no regime {self.regime}: choose of {', '.join(PERCENT)}.")

    def _new_orders(self) -> Iterator[str]:
        """Copies of generated orders, from everywhere: they meet every date window and condition of the queries.

        An amount differs in every round, because copies that tie with their originals would leave it open which rows a
        LIMIT shows.
        """
        for table, key, amount in ORDERS:
            yield (
                f"insert into {SCHEMA}.{table} by name select {key} + {self.number * self.last_key} as {key}, "
                f"cast({amount} + {self.number / 100:.2f} as decimal(15, 2)) as {amount}, * except ({key}, {amount}) "
                f"from {SCHEMA}.{table} where {key} <= {self.last_key} and {self._sampled(key, 1)}"
            )

    def _without_a_range(self) -> Iterator[str]:
        width = round(self.last_key * self.percent / 100)
        low = self.number * width
        if low + width > self.last_key:
            raise ValueError(
                f"Round {self.number} finds no range of {self.percent:g} % that did not go before: "
                "ask for a smaller percentage, or start in a new folder."
            )
        for table, key, _ in ORDERS:
            yield f"delete from {SCHEMA}.{table} where {key} > {low} and {key} <= {low + width}"

    def _without_some(self) -> Iterator[str]:
        for table, key, _ in ORDERS:
            yield f"delete from {SCHEMA}.{table} where {self._sampled(key, 2)}"

    def _updates(self) -> Iterator[str]:
        """Both sides of joins, keys of joins among them, and values on both sides of the queries' conditions."""
        segment = "if(c_mktsegment = 'BUILDING', 'AUTOMOBILE', 'BUILDING')"
        brand = "concat('Brand#', 1 + pmod(p_partkey, 5), 1 + pmod(p_size, 5))"
        assignments = {
            ("customer", "c_custkey"): f"c_mktsegment = {segment}, c_acctbal = -c_acctbal",
            ("part", "p_partkey"): f"p_brand = {brand}, p_size = 1 + pmod(p_size, 50)",
            ("supplier", "s_suppkey"): "s_nationkey = pmod(s_nationkey + 7, 25)",
            ("partsupp", "ps_partkey"): "ps_supplycost = ps_supplycost + 1, ps_availqty = ps_availqty + 10",
        }
        for (table, key), assigned in assignments.items():
            yield f"update {SCHEMA}.{table} set {assigned} where {self._sampled(key, 3, self.percent / 4)}"

    def _sampled(self, key: str, salt: int, percent: float | None = None) -> str:
        """A share of the keys. Orders and line items of one key have one answer, so no side of a join comes alone."""
        parts = round((self.percent if percent is None else percent) / 100 * PARTS)
        return f"pmod(xxhash64({key}, {self.number}, {salt}), {PARTS}) < {parts}"
