"""Calls that read the clock: each has one value before a refresh and one after it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, fields, replace
from typing import Any, Optional

from sqlglot import exp

from trickle.functions import Rule, facts_of
from trickle.plan.op import Op
from trickle.plan.scalar import Named, Scalar
from trickle.sql.build import call, string
from trickle.sql.text import function_name
from trickle.types import UNKNOWN, Type

_MARK = "clock"
Rewrite = Callable[[exp.Expr], exp.Expr]


@dataclass(frozen=True)
class ClockCall:
    """One way to read the clock."""

    name: str
    """The function whose value it is: current_timestamp for NOW(), too."""
    shown: bool = False
    """Whether the value is only shown to users: then it is the instant of the data, and not that of the run."""
    before: bool = False
    """Whether it is the value at the last refresh."""

    @property
    def type(self) -> Type:
        """The type of its value."""
        result = facts_of(self.name).result
        return UNKNOWN if isinstance(result, Rule) else result

    def tree(self) -> exp.Expr:
        """The mark that replaces the call in expressions until the instant is known."""
        words = [self.name, *(["shown"] if self.shown else []), *(["before"] if self.before else [])]
        return call(_MARK.upper(), *(string(word) for word in words))


def clock_reading(node: exp.Expr) -> Optional[str]:
    """The name of what a user's call reads from the clock; None for any other, and where no literal replaces it."""
    if isinstance(node, exp.Anonymous) and node.expressions:
        return None
    return facts_of(function_name(node)).clock_reading or None


def clock_call_of(node: exp.Expr) -> Optional[ClockCall]:
    """The call that a mark replaces."""
    if not isinstance(node, exp.Anonymous) or str(node.this).lower() != _MARK:
        return None
    name, *words = (str(part.this) for part in node.expressions)
    return ClockCall(name, "shown" in words, "before" in words)


def clock_calls(tree: exp.Expr) -> frozenset[ClockCall]:
    """The calls that an expression makes."""
    calls = (clock_call_of(node) for node in tree.find_all(exp.Anonymous))
    return frozenset(made for made in calls if made is not None)


def clock_calls_of(op: Op) -> frozenset[ClockCall]:
    """The calls that an operator's own expressions make."""
    return frozenset[ClockCall]().union(*(clock_calls(scalar.tree) for scalar in op.scalars()))


def as_before(op: Op, changed_calls: Collection[ClockCall]) -> Op:
    """The operator with the values the changed calls had at the last refresh; itself when it makes none of them."""
    if not clock_calls_of(op) & frozenset(changed_calls):
        return op

    def earlier(node: exp.Expr) -> exp.Expr:
        made = clock_call_of(node)
        return replace(made, before=True).tree() if made in changed_calls and made is not None else node

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
