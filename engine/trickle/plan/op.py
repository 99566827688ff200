"""The base class of plan operators: an immutable node with children, a schema, a linearity and a delta rule."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from typing_extensions import Self

from trickle.errors import InternalError
from trickle.plan.scalar import Scalar
from trickle.plan.schema import Schema
from trickle.sql.block import Block

if TYPE_CHECKING:
    from trickle.plan.change import Change


class Linearity(Enum):
    """How an operator's change follows from its children's changes."""

    LEAF = "leaf"
    LINEAR = "linear"
    """Δop(x) = op(Δx)."""
    BILINEAR = "bilinear"
    """Linear in each child while the other is constant."""
    NONLINEAR = "nonlinear"
    """Needs its children before and after."""


@dataclass(frozen=True, eq=False)
class Op(ABC):
    """Base of all operators. Nodes are compared by identity; `fingerprint` in plan/show.py compares by meaning."""

    linearity: ClassVar[Linearity]
    keeps_queries: ClassVar[bool] = False
    """Whether it combines its children's finished queries instead of selecting from them (UNION ALL)."""
    reads_closed: ClassVar[bool] = False
    """Whether its children must be finished queries (outer joins: the WHERE of a side must stay inside it)."""

    @property
    @abstractmethod
    def schema(self) -> Schema:
        """The columns it exposes, without the weight."""

    @property
    def signed(self) -> bool:
        """Whether rows carry a weight."""
        return any(child.signed for child in self.children)

    @cached_property
    def children(self) -> tuple[Op, ...]:
        """Child operators in field order."""
        operators: list[Op] = []
        for item in fields(self):
            value = getattr(self, item.name)
            if isinstance(value, Op):
                operators.append(value)
            elif isinstance(value, tuple):
                operators += [part for part in value if isinstance(part, Op)]
        return tuple(operators)

    def rebuild(self, children: Sequence[Op]) -> Self:
        """The same operator over other children; itself when they are the same."""
        if all(old is new for old, new in zip(self.children, children)):
            return self
        queue = list(children)
        updates: dict[str, Any] = {}
        for item in fields(self):
            value = getattr(self, item.name)
            if isinstance(value, Op):
                updates[item.name] = queue.pop(0)
            elif isinstance(value, tuple) and value and isinstance(value[0], Op):
                updates[item.name] = tuple(queue.pop(0) for _ in value)
        return replace(self, **updates)

    def scalars(self) -> tuple[Scalar, ...]:
        """The expressions it evaluates over its children's columns."""
        return ()

    def delta(self, changes: tuple[Change, ...]) -> Op:
        """The plan of its change, from the changes of its children. Linear operators need no rule of their own."""
        raise InternalError(f"{type(self).__name__} is {self.linearity.value} and has no delta rule of its own")

    def block(self, inputs: tuple[Block, ...]) -> Block:
        """Its SQL over its children's open blocks."""
        raise InternalError(f"{type(self).__name__} is a leaf: the renderer reads it through its binding")


def rewrite_bottom_up(root: Op, rule: Callable[[Op], Op]) -> Op:
    """Apply a local rule to every node, children first; shared nodes are visited once and stay shared."""
    done: dict[int, Op] = {}
    for op in walk(root):
        done[id(op)] = rule(op.rebuild([done[id(child)] for child in op.children]))
    return done[id(root)]


def walk(root: Op) -> list[Op]:
    """Every distinct node, children before parents."""
    seen: dict[int, Op] = {}
    waiting = [(root, False)]
    while waiting:
        op, entered = waiting.pop()
        if id(op) in seen:
            continue
        if entered:
            seen[id(op)] = op
            continue
        waiting.append((op, True))
        waiting += [(child, False) for child in reversed(op.children)]
    return list(seen.values())
