"""join_outward: each term of a join's change begins at its change, and meets one table after the other from there.

Spark joins in the order written, as it has no statistics of a change: a change that stands last is met by the join of
whole tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sqlglot import exp

from trickle.operators import Filter, Join, Project, UnionAll, Within
from trickle.plan.op import Op, walk
from trickle.plan.row_counts import RowCounts
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.render.fan_out import fan_out, rows_of
from trickle.sql.build import all_of, conjuncts

LEFT_OVER = 0.2
"""The share of a table's rows that is taken to fulfil a condition: a guess, which only orders joins."""


def join_outward(root: Op, counts: RowCounts) -> Op:
    """((ΔA ⋈ B) ⊎ (A ⋈ ΔB)) ⋈ C ⊎ (A ⋈ B) ⋈ ΔC, WHERE p(c)  →  ΔA ⋈ B ⋈ σ(C) ⊎ ΔB ⋈ A ⋈ σ(C) ⊎ ΔC ⋈ B ⋈ A

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
                done[id(op)] = _union(op, [_term(visited(term), op, counts) for term in terms])
            else:
                done[id(op)] = op.rebuild([visit(child) for child in op.children])
        return done[id(op)]

    def visited(term: _Term) -> _Term:
        return _Term(tuple(visit(relation) for relation in term.relations), term.conditions)

    return visit(root)


@dataclass(frozen=True)
class _Term:
    """Relations that are joined, and the conditions their rows must fulfil together."""

    relations: tuple[Op, ...]
    conditions: tuple[exp.Expr, ...] = ()

    def where(self, condition: Scalar | None) -> _Term:
        more = () if condition is None else tuple(conjuncts(condition.tree))
        return _Term(self.relations, (*self.conditions, *more))

    def __add__(self, other: _Term) -> _Term:
        return _Term((*self.relations, *other.relations), (*self.conditions, *other.conditions))


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


def _terms(op: Op, shared: set[int], top: bool = False) -> Iterator[_Term]:
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
            yield _Term((op,))


def _union(op: Op, terms: list[Op]) -> Op:
    return terms[0] if len(terms) == 1 else UnionAll(tuple(terms))


def _term(term: _Term, op: Op, counts: RowCounts) -> Op:
    """One term, joined outward from its change, with the columns of `op` in their order."""
    joined = _joined(term, counts)
    if joined.schema.names == op.schema.names:
        return joined
    return Project(joined, tuple(Named(name, column_scalar(name)) for name in op.schema.names))


def _joined(term: _Term, counts: RowCounts) -> Op:
    """The change first; then always the table that leaves the fewest rows, among those that a condition connects."""
    waiting = [_filtered(relation, term.conditions) for relation in term.relations]
    joined = next((relation for relation in waiting if relation.signed), waiting[0])
    waiting.remove(joined)
    conditions = [part for part in term.conditions if not _is_of_one(part, term.relations)]
    while waiting:
        nearest = min(waiting, key=lambda relation: _distance(joined, relation, conditions, counts))
        waiting.remove(nearest)
        names = {*joined.schema.names, *nearest.schema.names}
        on = [part for part in conditions if _columns(part) <= names]
        conditions = [part for part in conditions if not _columns(part) <= names]
        joined = Join(joined, nearest, _all(on))
    return _where(joined, conditions)


def _distance(joined: Op, relation: Op, conditions: Iterable[exp.Expr], counts: RowCounts) -> tuple[bool, float, float]:
    """What orders the tables: those without an equality last, then how many rows a row of the change meets there."""
    names = {*joined.schema.names, *relation.schema.names}
    equalities = [part for part in conditions if isinstance(part, (exp.EQ, exp.NullSafeEQ)) and _columns(part) <= names]
    rows = rows_of(relation, counts)
    size = float("inf") if rows is None else rows
    met = fan_out(joined, relation, _all(equalities), counts) or 1.0
    return (not equalities, (met if equalities else size) * LEFT_OVER ** _conditions(relation), size)


def _conditions(op: Op) -> int:
    """How many conditions lie on a relation."""
    match op:
        case Filter():
            return len(conjuncts(op.condition.tree)) + _conditions(op.child)
        case Project() | Within():
            return _conditions(op.child)
        case _:
            return 0


def _filtered(relation: Op, conditions: Iterable[exp.Expr]) -> Op:
    return _where(relation, [part for part in conditions if _is_of_one(part, (relation,))])


def _is_of_one(part: exp.Expr, relations: Iterable[Op]) -> bool:
    """Whether one relation alone decides about a condition."""
    columns = _columns(part)
    return bool(columns) and any(columns <= set(relation.schema.names) for relation in relations)


def _where(op: Op, conditions: list[exp.Expr]) -> Op:
    condition = _all(conditions)
    return op if condition is None else Filter(op, condition)


def _all(parts: Iterable[exp.Expr]) -> Scalar | None:
    tree = all_of(part.copy() for part in parts)
    return None if tree is None else Scalar(tree)


def _columns(part: exp.Expr) -> set[str]:
    return {node.name for node in part.find_all(exp.Column)}
