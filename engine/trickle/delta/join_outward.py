"""join_outward: each term of a join's change begins at its change, and meets one table after the other from there.

Spark joins in the order written, as it has no statistics of a change: a change that stands last is met by the join of
whole tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from trickle.delta.join_order import Term, joined_terms
from trickle.operators import Filter, Join, UnionAll
from trickle.plan.op import Op, walk
from trickle.plan.row_counts import RowCounts


def join_outward(root: Op, counts: RowCounts) -> Op:
    """((ΔA ⋈ B) ⋈ C) ⊎ (A ⋈ B) ⋈ ΔC, WHERE p(b)  →  (ΔA ⋈ C ⊎ ΔC ⋈ A) ⋈ σ(B)

    n changed tables give n flat terms. A change that several operators read stays whole, and is computed for all.
    """
    shared = {
        op for op, readers in Counter(id(child) for op in walk(root) for child in op.children).items() if readers > 1
    }
    done: dict[int, Op] = {}

    def visit(op: Op) -> Op:
        if id(op) not in done:
            terms = list(_terms(op, shared, top=True)) if op.signed and _joins_below(op, shared) else []
            if terms:
                done[id(op)] = joined_terms([visited(term) for term in terms], op.schema.names, counts)
            else:
                done[id(op)] = op.rebuild([visit(child) for child in op.children])
        return done[id(op)]

    def visited(term: Term) -> Term:
        return Term(tuple(visit(relation) for relation in term.relations), term.conditions)

    return visit(root)


def _joins_below(op: Op, shared: set[int]) -> bool:
    """Whether an inner join of a change can be reached through filters and unions of changes alone."""
    match op:
        case Join():
            return True
        case Filter():
            return id(op.child) not in shared and _joins_below(op.child, shared)
        case UnionAll():
            # A union of anything else is met by each table once, as a whole.
            signed = all(branch.signed for branch in op.inputs)
            return signed and any(id(branch) not in shared and _joins_below(branch, shared) for branch in op.inputs)
        case _:
            return False


def _terms(op: Op, shared: set[int], top: bool = False) -> Iterator[Term]:
    """The terms whose union the operator is."""
    whole = op.signed and (not _joins_below(op, shared) or (id(op) in shared and not top))
    match op:
        case Join() if not whole:
            for left in _terms(op.left, shared):
                for right in _terms(op.right, shared):
                    yield (left + right).where(op.condition)
        case Filter() if not whole and isinstance(op.child, (Join, Filter, UnionAll)):
            for term in _terms(op.child, shared):
                yield term.where(op.condition)
        case UnionAll() if op.signed and not whole:
            for branch in op.inputs:
                yield from _terms(branch, shared)
        case _:
            yield Term((op,))
