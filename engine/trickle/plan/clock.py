"""What a query asks of the clock: each call is a reading, with one value before a refresh and one after it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, fields, replace
from typing import Any, Optional

from sqlglot import exp

from trickle.plan.op import Op
from trickle.plan.scalar import Named, Scalar
from trickle.sql.build import call, string
from trickle.sql.text import function_name

TYPES = {
    "current_date": "date",
    "current_timestamp": "timestamp",
    "localtimestamp": "timestamp_ntz",
    "unix_timestamp": "bigint",
}
"""Reading → its type."""
_SYNONYMS = {"curdate": "current_date", "now": "current_timestamp"}
_MARK = "clock"
Rewrite = Callable[[exp.Expr], exp.Expr]


@dataclass(frozen=True)
class ClockCall:
    """One way to ask the clock."""

    name: str
    shown: bool = False
    """Whether the value is only shown to users: then it is the instant the data stands for, and not that of the run."""
    before: bool = False
    """Whether it is the value at the last refresh."""

    def tree(self) -> exp.Expr:
        """The mark that stands in expressions until the instant is known."""
        words = [self.name, *(["shown"] if self.shown else []), *(["before"] if self.before else [])]
        return call(_MARK.upper(), *(string(word) for word in words))


def asked(node: exp.Expr) -> Optional[str]:
    """Which reading a call of the user's is; None for what is no question to the clock, or one nobody answers here."""
    name = function_name(node)
    name = _SYNONYMS.get(name, name)
    with_arguments = isinstance(node, exp.Anonymous) and bool(node.expressions)
    return name if name in TYPES and not with_arguments else None


def clock_call_of(node: exp.Expr) -> Optional[ClockCall]:
    """The reading a mark stands for."""
    if not isinstance(node, exp.Anonymous) or str(node.this).lower() != _MARK:
        return None
    name, *words = (str(part.this) for part in node.expressions)
    return ClockCall(name, "shown" in words, "before" in words)


def clock_calls(tree: exp.Expr) -> frozenset[ClockCall]:
    """What an expression asks of the clock."""
    found = (clock_call_of(node) for node in tree.find_all(exp.Anonymous))
    return frozenset(one for one in found if one is not None)


def clock_calls_of(op: Op) -> frozenset[ClockCall]:
    """What an operator's own expressions ask of the clock."""
    return frozenset[ClockCall]().union(*(clock_calls(scalar.tree) for scalar in op.scalars()))


def as_before(op: Op, changed_calls: Collection[ClockCall]) -> Op:
    """The operator by the values the moved readings had at the last refresh; itself when it asks none of them."""
    if not clock_calls_of(op) & frozenset(changed_calls):
        return op

    def earlier(node: exp.Expr) -> exp.Expr:
        found = clock_call_of(node)
        return replace(found, before=True).tree() if found in changed_calls and found is not None else node

    return with_trees(op, earlier)


def with_trees(op: Op, rewrite: Rewrite) -> Op:
    """The operator with every node of its own expressions rewritten."""

    def rewritten(value: Any) -> Any:
        match value:
            case Scalar():
                return Scalar(value.tree.transform(rewrite))
            case Named():
                return Named(value.name, rewritten(value.value))
            case tuple():
                return tuple(rewritten(part) for part in value)
            case _:
                return value

    return replace(op, **{item.name: rewritten(getattr(op, item.name)) for item in fields(op)})
