"""Two small sources and the few words the tests of operators share."""

from __future__ import annotations

from sqlglot import parse_one

from trickle.delta.differentiate import SourceChange, differentiate
from trickle.operators import Scan, SourceColumn
from trickle.plan.change import Change
from trickle.plan.op import Op
from trickle.plan.scalar import Named, Scalar
from trickle.render.reads import Binding, Reads
from trickle.render.render import render
from trickle.sql.build import table
from trickle.sql.text import to_text


def scan(name: str, *columns: str) -> Scan:
    return Scan(name, name, tuple(SourceColumn(column, column, "int") for column in columns))


ORDERS = scan("orders", "id", "amount")
LINES = scan("lines", "order_id", "pieces")


def scalar(text: str) -> Scalar:
    return Scalar(parse_one(text, dialect="spark"))


def named(name: str, text: str | None = None) -> Named:
    return Named(name, scalar(text or name))


def change_of(op: Op, *changed: str) -> Change:
    return differentiate(op, {name: SourceChange() for name in changed})


def sql(op: Op) -> str:
    """The plan as one line of Spark SQL, quotes left out."""
    names = ("orders", "lines")
    reads = {one: Reads(table((one,)), table((f"{one}_before",)), table((f"{one}_feed",))) for one in names}
    stored = Reads(table(("storage",))).after
    return to_text(render(op, Binding(reads, stored, table(("result",)))), pretty=False).replace("`", "")
