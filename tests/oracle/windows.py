"""What a window call answers for one row of a partition."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cmp_to_key

from sqlglot import exp

from tests.oracle.aggregates import evaluate_measure
from tests.oracle.scalars import Values, evaluate
from tests.oracle.zset import Value

Rows = Sequence[Values]


def window_value(window: exp.Expr, rows: Rows, place: int) -> Value:
    """The answer for `rows[place]`. Rows that tie stand in the order of all their columns, NULLs first."""
    assert isinstance(window, exp.Window)
    ordered = _ordered(window)
    known = isinstance(window.this, exp.IgnoreNulls)
    # The last value known up to the peers is found by one comparison, which falls in all columns or in none.
    falls = known and _ends_between_values(window) and bool(ordered[0].args.get("desc"))
    by_order = [cmp_to_key(lambda one, other: compare_rows(ordered, one, other))(row) for row in rows]
    everything = [exp.Ordered(this=exp.column(name), desc=falls, nulls_first=not falls) for name in rows[place]]
    total = sorted(
        range(len(rows)),
        key=cmp_to_key(lambda one, other: compare_rows([*ordered, *everything], rows[one], rows[other]) or one - other),
    )
    position = total.index(place)
    mine = by_order[place]
    call = window.this.this if known else window.this
    name = call.name.lower() if isinstance(call, exp.Anonymous) else type(call).__name__.lower()
    match name:
        case "row_number":
            return position + 1
        case "rank":
            return 1 + sum(other < mine for other in by_order)
        case "dense_rank":
            smaller = [rows[one] for one in range(len(rows)) if by_order[one] < mine]
            return 1 + len({tuple(_plain(evaluate(item.this, row)) for item in ordered) for row in smaller})
        case "lag" | "lead":
            steps = int(str(call.expressions[1])) if len(call.expressions) > 1 else 1
            other = position - steps if name == "lag" else position + steps
            return evaluate(call.expressions[0], rows[total[other]]) if 0 <= other < len(total) else None
    frame = _frame(window, total, position, [by_order[one] for one in total])
    match name:
        case "first_value" | "last_value" | "nth_value":
            values = [evaluate(call.expressions[0], rows[one]) for one in frame]
            values = [value for value in values if value is not None] if known else values
            nth = {"first_value": 0, "last_value": -1}.get(name)
            nth = int(str(call.expressions[1])) - 1 if nth is None else nth
            return values[nth] if -1 <= nth < len(values) and values else None
        case _:
            return evaluate_measure(call, [(rows[one], 1) for one in frame])


def _plain(value: Value) -> str:
    return repr(value)


def _ordered(window: exp.Window) -> list[exp.Ordered]:
    order = window.args.get("order")
    return [] if order is None else list(order.expressions)


def _ends_between_values(window: exp.Window) -> bool:
    return window.args.get("spec") is None and window.args.get("order") is not None


def _frame(window: exp.Window, total: list[int], position: int, keys: list[object]) -> list[int]:
    """The rows a call sees, in total order."""
    spec = window.args.get("spec")
    if spec is None and window.args.get("order") is None:
        return total
    if spec is None:
        return [one for one, key in zip(total, keys) if not keys[position] < key]  # type: ignore[operator]
    low = _edge(spec.args.get("start"), spec.args.get("start_side"), position, len(total))
    high = _edge(spec.args.get("end"), spec.args.get("end_side"), position, len(total))
    return total[low : high + 1]


def _edge(start: object, side: object, position: int, count: int) -> int:
    forward = str(side).upper() == "FOLLOWING"
    if str(start).upper() == "UNBOUNDED":
        return count - 1 if forward else 0
    if str(start).upper() == "CURRENT ROW":
        return position
    steps = int(str(start))
    return min(position + steps, count - 1) if forward else max(position - steps, 0)


def compare_rows(ordered: Sequence[exp.Ordered], one: Values, other: Values) -> int:
    for item in ordered:
        left, right = evaluate(item.this, one), evaluate(item.this, other)
        if left is None and right is None:
            continue
        if left is None or right is None:
            first = bool(item.args.get("nulls_first"))
            return -1 if (left is None) == first else 1
        if left != right:
            return (1 if left < right else -1) if item.args.get("desc") else (-1 if left < right else 1)  # type: ignore[operator]
    return 0
