"""ORDER BY … LIMIT at the end of a query: the order as columns, hidden ones where the SELECT list lacks them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from sqlglot import exp

from trickle.errors import InvalidView, Unsupported
from trickle.lower.session import Session
from trickle.operators import Ordering, TopK
from trickle.plan.op import Op
from trickle.reasons import reason
from trickle.sql.parse import position_of
from trickle.sql.text import to_line


@dataclass(frozen=True)
class Limits:
    """How many rows, and after how many."""

    limit: int
    offset: int


def limits(tree: exp.Query, session: Session) -> Optional[Limits]:
    """LIMIT and OFFSET of a query; None when all rows are wanted, in which case an ORDER BY means nothing."""
    limit, offset = (_number(tree.args.get(name), session) for name in ("limit", "offset"))
    if limit is None and offset is None:
        return None
    if limit is None or limit == 0:
        raise Unsupported([reason("clause", position_of(tree, session.text), what="OFFSET without LIMIT, or LIMIT 0")])
    return Limits(limit, offset or 0)


def _number(node: Optional[exp.Expr], session: Session) -> Optional[int]:
    if node is None:
        return None
    value = node.expression
    if isinstance(value, exp.Literal) and not value.is_string and str(value.this).isdigit():
        return int(str(value.this))
    if isinstance(node, exp.Limit) and to_line(value).upper() == "ALL":
        return None
    raise Unsupported([reason("clause", position_of(node, session.text), what=f"{node.key.upper()} by an expression")])


def items_of(tree: exp.Query) -> list[exp.Ordered]:
    order = tree.args.get("order")
    return [] if order is None else list(order.expressions)


def ordinal(item: exp.Ordered, count: int, session: Session) -> Optional[int]:
    """The place an ORDER BY 2 points to."""
    tree = item.this
    if not isinstance(tree, exp.Literal) or tree.is_string or not str(tree.this).isdigit():
        return None
    place = int(str(tree.this))
    if not 1 <= place <= count:
        message = f"ORDER BY {place} points past the SELECT list, which has {count} columns"
        raise InvalidView(message, position_of(item, session.text))
    return place - 1


def ordering(item: exp.Ordered, column: str) -> Ordering:
    return Ordering(column, bool(item.args.get("desc")), bool(item.args.get("nulls_first")))


def top_of(op: Op, order: list[Ordering], wanted: Limits) -> Op:
    """An item that repeats an earlier one decides nothing."""
    first = {item.column: item for item in reversed(order)}
    kept = tuple(item for place, item in enumerate(order) if first[item.column] is item)
    return TopK(op, kept, wanted.limit, wanted.offset)
