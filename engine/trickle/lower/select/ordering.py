"""ORDER BY … LIMIT at the end of a query: the order as columns, hidden where they are not in the SELECT list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from sqlglot import exp

from trickle.errors import InvalidView, Unsupported
from trickle.lower.refusals.whole_number import whole_number
from trickle.lower.session import Session
from trickle.operators import Aggregate, Distinct, Filter, Ordering, Project, TopK, Values
from trickle.plan.op import Op
from trickle.plan.scalar import Scalar
from trickle.reasons import reason
from trickle.sql.build import integer
from trickle.sql.parse import position_of
from trickle.sql.text import to_line

MOST_ROWS = 2**31
"""Spark counts the rows of a LIMIT in an INT."""


@dataclass(frozen=True)
class Limits:
    """LIMIT and OFFSET."""

    limit: int
    offset: int


def limits(tree: exp.Query, session: Session) -> Optional[Limits]:
    """LIMIT and OFFSET of a query; None without them, in which case its ORDER BY has no effect."""
    limit, offset = (_number(tree.args.get(name), session) for name in ("limit", "offset"))
    if limit is None and offset is None:
        return None
    if limit is None:
        raise Unsupported([reason("clause", position_of(tree, session.text), what="OFFSET without LIMIT")])
    return Limits(limit, offset or 0)


def _number(node: Optional[exp.Expr], session: Session) -> Optional[int]:
    if node is None:
        return None
    value = node.expression
    number = whole_number(value)
    if number is not None and 0 <= number < MOST_ROWS:
        return number
    if isinstance(node, exp.Limit) and to_line(value).upper() == "ALL":
        return None
    if isinstance(value, (exp.Literal, exp.Neg)):
        message = f"{node.key.upper()} takes a whole number from 0 to {MOST_ROWS - 1}, not {to_line(value)[:40]}"
        raise InvalidView(message, position_of(node, session.text))
    if value.find(exp.Column, exp.Query, exp.Null):
        message = f"{node.key.upper()} takes a constant number, not {to_line(value)[:40]}"
        raise InvalidView(message, position_of(node, session.text))
    raise Unsupported([reason("clause", position_of(node, session.text), what=f"{node.key.upper()} by an expression")])


def items_of(tree: exp.Query, count: int, has_all: bool) -> list[exp.Ordered]:
    """The items of ORDER BY. ORDER BY ALL means all shown columns, unless a column has that name (`has_all`)."""
    order = tree.args.get("order")
    items: list[exp.Ordered] = [] if order is None else list(order.expressions)
    if has_all or len(items) != 1 or not isinstance(items[0].this, exp.Column) or items[0].this.name.lower() != "all":
        return items
    every = [items[0].copy() for _ in range(count)]
    for number, item in enumerate(every, start=1):
        item.set("this", integer(number))
    return every


def ordinal(item: exp.Ordered, count: int, session: Session) -> Optional[int]:
    """The column index of ORDER BY 2; None for other items."""
    tree = item.this
    if not isinstance(tree, exp.Literal) or tree.is_string or not str(tree.this).isdigit():
        return None
    number = int(str(tree.this))
    if not 1 <= number <= count:
        message = f"ORDER BY {number} points past the SELECT list, which has {count} columns"
        raise InvalidView(message, position_of(item, session.text))
    return number - 1


def ordering(item: exp.Ordered, column: str) -> Ordering:
    return Ordering(column, bool(item.args.get("desc")), bool(item.args.get("nulls_first")))


def top_of(op: Op, order: list[Ordering], wanted: Limits) -> Op:
    """The first rows of an order. Repeated items are dropped, and an operator with at most one row needs no order."""
    if wanted.limit == 0 or (wanted.offset and has_one_row(op)):
        return Filter(op, Scalar(exp.false()))
    if has_one_row(op):
        return op
    first = {item.column: item for item in reversed(order)}
    deciding = tuple(item for index, item in enumerate(order) if first[item.column] is item)
    return TopK(op, deciding, wanted.limit, wanted.offset)


def has_one_row(op: Op) -> bool:
    """Whether a plan has at most one row, as a grouping without keys does."""
    match op:
        case Aggregate(keys=()):
            return True
        case Project() | Filter():
            return has_one_row(op.child)
        case Values():
            return len(op.rows) == 1
        case _:
            return False


def existence_plan(op: Op) -> tuple[Op, int]:
    """A plan and a number n, such that `op` has a row if and only if the plan has more than n: for EXISTS."""
    while True:
        match op:
            case TopK():
                return op.child, op.offset
            case Project() | Distinct():
                op = op.child
            case _:
                return op, 0
