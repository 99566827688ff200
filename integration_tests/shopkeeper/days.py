"""The shop's days: the statements that change its tables on each day. They depend only on the day and the seed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from string import Template

FOLDER = Path(__file__).parent / "days"
OPENED_ON = date(2026, 3, 1)
ORDERS_A_DAY = 300
CUSTOMERS_A_DAY = 10
RETURNS_A_DAY = 40


@dataclass(frozen=True)
class Statement:
    """A statement and its title in the demo's output; '' for none."""

    title: str
    sql: str


@dataclass(frozen=True)
class Kind:
    """A kind of day: its story, and the files with its statements."""

    story: str
    files: tuple[str, ...]


KINDS = (
    Kind("an ordinary day: customers, orders and returns come in", ("new_orders",)),
    Kind("second thoughts: cancellations, lines taken back, customers who move", ("second_thoughts",)),
    Kind(
        "a new catalogue while orders come in: both sides of a join change", ("new_catalogue", "new_orders")
    ),
    Kind("the shop is closed: nothing happens", ()),
)


@dataclass(frozen=True)
class Shop:
    """The size of the shop, and the seed of its data."""

    orders: int = 60_000
    seed: int = 42
    products: int = 1_000

    @property
    def customers(self) -> int:
        return self.orders // 8

    @property
    def lines(self) -> int:
        return 2 * self.orders

    @property
    def returns(self) -> int:
        return self.orders // 15

    @property
    def rows(self) -> int:
        return self.customers + self.products + self.orders + self.lines + self.returns

    def opening(self) -> tuple[Statement, ...]:
        """The statements that fill the shop before the first day."""
        return self._statements(("opening",), day=0)

    def day(self, number: int) -> tuple[Statement, ...]:
        """The statements of a day, counted from 1. They are idempotent."""
        return self._statements(kind_of(number).files, number)

    def _statements(self, files: tuple[str, ...], day: int) -> tuple[Statement, ...]:
        names = {
            "seed": self.seed,
            "orders": self.orders,
            "lines": self.lines,
            "customers": self.customers,
            "products": self.products,
            "returns": self.returns,
            "day": day,
            "today": f"date '{date_of(day)}'",
            "new_order": self.orders + 1 + (day - 1) * ORDERS_A_DAY,
            "new_customer": self.customers + 1 + (day - 1) * CUSTOMERS_A_DAY,
            "new_return": self.returns + 1 + (day - 1) * RETURNS_A_DAY,
            "new_orders": ORDERS_A_DAY,
            "new_customers": CUSTOMERS_A_DAY,
            "new_returns": RETURNS_A_DAY,
        }
        if not files:
            return ()
        dice = [Statement("", statement.sql) for statement in _read("dice")]
        own = [statement for name in files for statement in _read(name)]
        return tuple(Statement(statement.title, Template(statement.sql).substitute(names)) for statement in dice + own)


def kind_of(day: int) -> Kind:
    return KINDS[(day - 1) % len(KINDS)]


def date_of(day: int) -> date:
    return OPENED_ON + timedelta(days=day)


def _read(name: str) -> list[Statement]:
    """The statements of a file: each after a comment with its title, and ended by a semicolon."""
    text = (FOLDER / f"{name}.sql").read_text("utf-8")
    _, *blocks = text.split("\n\n-- ")
    return [Statement(*_parted(block)) for block in blocks]


def _parted(block: str) -> tuple[str, str]:
    title, _, sql = block.partition("\n")
    return title.strip(), sql.strip().rstrip(";")
