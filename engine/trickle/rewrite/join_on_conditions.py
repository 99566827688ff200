"""join_on_conditions: relations that are connected by WHERE only are joined on its conditions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from trickle.operators import Filter, Join
from trickle.operators.project import selecting
from trickle.plan.clock import clock_calls
from trickle.plan.op import Op, rewrite_bottom_up
from trickle.plan.scalar import Scalar, all_hold, parts_of


def join_on_conditions(root: Op) -> Op:
    """(A × B × C) WHERE a = c AND b = c AND p(a)  →  (A ⋈ C ON a = c) ⋈ B ON b = c, WHERE p(a)

    The delta of a product is a nest of products with the condition above all of it. Joins with conditions are not
    changed, nor are conditions with clock calls.
    """
    return rewrite_bottom_up(root, lambda op: _join_on_conditions(op) if isinstance(op, Filter) else op)


@dataclass(frozen=True)
class _Link:
    """A condition over columns of several relations."""

    condition: Scalar
    relations: frozenset[int]


def _join_on_conditions(op: Filter) -> Op:
    if not isinstance(op.child, Join) or not any(_is_product(join) for join in _joins(op.child)):
        return op
    relations = list(_relations(op.child))
    owner = {name: index for index, relation in enumerate(relations) for name in relation.schema.names}
    above = [(part, _relations_named(part, owner)) for part in op.condition.parts]
    links = [_Link(part, named) for part, named in above if _connects(part, named)]
    if not links:
        return op
    rest = all_hold(part for part, named in above if not _connects(part, named))
    inside = [part for join in _joins(op.child) for part in parts_of(join.condition)]
    links = [*(_Link(part, _relations_named(part, owner)) for part in inside), *links]
    joined = _join_in_order(relations, links)
    if rest is not None:
        joined = Filter(joined, rest)
    return selecting(joined, op.schema.names)


def _join_in_order(relations: list[Op], links: list[_Link]) -> Op:
    """Joins each relation as soon as a link connects it with the joined ones, else in the order written."""
    joined, *_ = relations
    joined_indexes = {0}
    remaining = list(links)
    while len(joined_indexes) < len(relations):
        index = _next(joined_indexes, len(relations), remaining)
        joined_indexes.add(index)
        on = [link for link in remaining if link.relations <= joined_indexes]
        remaining = [link for link in remaining if not link.relations <= joined_indexes]
        joined = Join(joined, relations[index], all_hold(link.condition for link in on))
    return joined


def _next(joined_indexes: set[int], count: int, links: list[_Link]) -> int:
    waiting = [index for index in range(count) if index not in joined_indexes]
    connected = (index for index in waiting if any(_links_to(link, index, joined_indexes) for link in links))
    return next(connected, waiting[0])


def _links_to(link: _Link, index: int, joined_indexes: set[int]) -> bool:
    """Whether a link connects the relation at `index` with joined ones and needs no other relation."""
    return index in link.relations and len(link.relations) > 1 and link.relations <= joined_indexes | {index}


def _connects(part: Scalar, named: frozenset[int]) -> bool:
    return len(named) > 1 and not clock_calls(part.tree)


def _relations_named(part: Scalar, owner: dict[str, int]) -> frozenset[int]:
    return frozenset(owner[name] for name in part.columns)


def _joins(op: Op) -> Iterator[Join]:
    """All inner joins from here down to their relations."""
    if isinstance(op, Join):
        yield from _joins(op.left)
        yield from _joins(op.right)
        yield op


def _relations(op: Op) -> Iterator[Op]:
    if isinstance(op, Join):
        yield from _relations(op.left)
        yield from _relations(op.right)
    else:
        yield op


def _is_product(join: Join) -> bool:
    """Whether no part of the join's condition compares its two sides."""
    sides = set(join.left.schema.names), set(join.right.schema.names)
    return not any(all(part.columns & side for side in sides) for part in parts_of(join.condition))
