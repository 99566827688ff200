"""join_on_conditions: relations that only WHERE connects are joined on its conditions, each to what it belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from trickle.operators import Filter, Join, Project
from trickle.plan.clock import clock_calls
from trickle.plan.op import Op, rewrite_bottom_up
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.sql.build import all_of, conjuncts


def join_on_conditions(root: Op) -> Op:
    """(A × B × C) WHERE a = c AND b = c AND p(a)  →  (A ⋈ C ON a = c) ⋈ B ON b = c, WHERE p(a)

    The change of a product is a nest of products, with the condition above all of it. Joins that have their conditions
    stay as they are, and so does what asks the clock.
    """
    return rewrite_bottom_up(root, lambda op: _joined(op) if isinstance(op, Filter) else op)


@dataclass(frozen=True)
class _Link:
    """A condition that names columns of several of the relations."""

    tree: exp.Expr
    relations: frozenset[int]


def _joined(op: Filter) -> Op:
    if not isinstance(op.child, Join) or not any(_is_product(join) for join in _joins(op.child)):
        return op
    relations = list(_relations(op.child))
    owner = {name: place for place, one in enumerate(relations) for name in one.schema.names}
    above = [(part, _named(part, owner)) for part in conjuncts(op.condition.tree)]
    links = [_Link(part, named) for part, named in above if _connects(part, named)]
    if not links:
        return op
    rest = all_of(part.copy() for part, named in above if not _connects(part, named))
    inside = [part for join in _joins(op.child) for part in _parts(join)]
    links = [*(_Link(part, _named(part, owner)) for part in inside), *links]
    joined = _in_order(relations, links)
    if rest is not None:
        joined = Filter(joined, Scalar(rest))
    if joined.schema.names == op.schema.names:
        return joined
    return Project(joined, tuple(Named(name, column_scalar(name)) for name in op.schema.names))


def _in_order(relations: list[Op], links: list[_Link]) -> Op:
    """Each relation joined as soon as something connects it with what is joined already, else in the order written."""
    joined, *_ = relations
    there = {0}
    left = list(links)
    while len(there) < len(relations):
        place = _next(there, len(relations), left)
        there.add(place)
        on = [link for link in left if link.relations <= there]
        left = [link for link in left if not link.relations <= there]
        condition = all_of(link.tree.copy() for link in on)
        joined = Join(joined, relations[place], None if condition is None else Scalar(condition))
    return joined


def _next(there: set[int], count: int, links: list[_Link]) -> int:
    waiting = [place for place in range(count) if place not in there]
    connected = (place for place in waiting if any(_reaches(link, place, there) for link in links))
    return next(connected, waiting[0])


def _reaches(link: _Link, place: int, there: set[int]) -> bool:
    """Whether it can be asked once the relation is there; what names none of the others joins nothing."""
    return place in link.relations and len(link.relations) > 1 and link.relations <= there | {place}


def _connects(part: exp.Expr, named: frozenset[int]) -> bool:
    return len(named) > 1 and not clock_calls(part)


def _named(part: exp.Expr, owner: dict[str, int]) -> frozenset[int]:
    return frozenset(owner[node.name] for node in part.find_all(exp.Column))


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


def _parts(join: Join) -> list[exp.Expr]:
    return [] if join.condition is None else conjuncts(join.condition.tree)


def _is_product(join: Join) -> bool:
    """Whether nothing in its own condition compares one side with the other."""
    sides = set(join.left.schema.names), set(join.right.schema.names)
    return not any(all(_columns(part) & side for side in sides) for part in _parts(join))


def _columns(part: exp.Expr) -> set[str]:
    return {node.name for node in part.find_all(exp.Column)}
