"""A SELECT under construction. Operators add their clauses to it, so that a chain of operators becomes one SELECT.

An open block can still take filters, projections and joins. A closed one (a union, a grouping) is a finished query;
the renderer makes it a CTE and gives the operator above an open block over that CTE.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sqlglot import exp

from trickle.sql.build import alias, all_of, broadcast, column, integer, product, substitute

Trees = Mapping[str, exp.Expr]


@dataclass(frozen=True)
class Joined:
    """A joined relation of FROM. `kind` is '' for inner, 'CROSS', 'LEFT SEMI', 'LEFT', …; `on` is None for CROSS."""

    relation: exp.Expr
    kind: str = ""
    on: exp.Expr | None = None

    @property
    def keeps_unmatched_right(self) -> bool:
        """Whether a row of `relation` without partner is kept: padded with NULLs for every relation on its left."""
        return self.kind in ("RIGHT", "FULL")


@dataclass(frozen=True)
class Block:
    """FROM, WHERE and outputs of a SELECT, or a finished query."""

    outputs: Trees
    """Output name → defining tree over the relations in FROM."""
    weight: exp.Expr | None = None
    """The weight of a row; None when the block is unsigned (every row counts once)."""
    relation: exp.Expr | None = None
    joins: tuple[Joined, ...] = ()
    where: tuple[exp.Expr, ...] = ()
    query: exp.Query | None = field(default=None)
    """Set in a closed block: outputs and weight are then columns of this query."""
    hints: tuple[str, ...] = ()
    """Relations small enough to be broadcast in a join."""

    def define(self, tree: exp.Expr) -> exp.Expr:
        """A tree over this block's output names, as a tree over its relations."""
        return substitute(tree, dict(self.outputs))

    def filtered(self, condition: exp.Expr) -> Block:
        return replace(self, where=(*self.where, condition))

    def projected(self, outputs: Trees) -> Block:
        return replace(self, outputs=outputs)

    def joined(self, other: Block, kind: str, on: exp.Expr | None, outputs: Trees) -> Block:
        """Join the relations of another open block to this block's; weights multiply.

        A × (B ⋈ C) is A × B ⋈ C, so a cross join needs no parentheses, except around a join that keeps the unmatched
        rows of its right side: A × (B ⟗ C) has them once for each row of A, A × B ⟗ C has them once, without A.
        """
        if other.relation is None:
            raise ValueError("a block without FROM cannot be joined")
        if on is None and not any(join.keeps_unmatched_right for join in other.joins):
            added = (Joined(other.relation, kind, on), *other.joins)
        else:
            added = (Joined(_parenthesized(other.relation, other.joins), kind, on),)
        return Block(
            outputs=outputs,
            weight=multiply(self.weight, other.weight),
            relation=self.relation,
            joins=(*self.joins, *added),
            where=(*self.where, *other.where),
            hints=(*self.hints, *other.hints),
        )

    def select(self, weight_name: str) -> exp.Query:
        """The block as a complete query."""
        if self.query is not None:
            return self.query
        items = [alias(tree.copy(), name) for name, tree in self.outputs.items()]
        if self.weight is not None:
            items.append(alias(self.weight.copy(), weight_name))
        query = exp.Select(expressions=items or [alias(integer(1), "nothing")])
        if self.relation is not None:
            query = query.from_(self.relation.copy(), copy=False)
        for join in self.joins:
            query.append("joins", _join(join))
        condition = all_of(tree.copy() for tree in self.where)
        if condition is not None:
            query.set("where", exp.Where(this=condition))
        if self.hints and self.joins:
            query.set("hint", broadcast(self.hints))
        return query


def closed_block(query: exp.Query, names: tuple[str, ...], weight_name: str | None) -> Block:
    """A block of a finished query that exposes the named columns."""
    outputs = {name: column(name) for name in names}
    return Block(outputs, column(weight_name) if weight_name else None, query=query)


def open_block(relation: exp.Expr, table_alias: str, names: Mapping[str, str], weight_name: str | None) -> Block:
    """An open block over one relation: output name → column of the relation."""
    outputs = {name: column(source, table_alias) for name, source in names.items()}
    return Block(outputs, column(weight_name, table_alias) if weight_name else None, relation=relation)


def multiply(left: exp.Expr | None, right: exp.Expr | None) -> exp.Expr | None:
    """The weight of a joined pair: the product of its sides' weights; an unsigned row has weight 1."""
    if left is None or right is None:
        return left if right is None else right
    return product(left.copy(), right.copy())


def _parenthesized(relation: exp.Expr, joins: tuple[Joined, ...]) -> exp.Expr:
    """A relation with its joins in parentheses, so that the condition of the outer join may name any of them."""
    if not joins:
        return relation
    inner = relation.copy()
    for join in joins:
        inner.append("joins", _join(join))
    return exp.Subquery(this=inner)


def _join(join: Joined) -> exp.Join:
    side, _, kind = join.kind.rpartition(" ")
    tree = exp.Join(this=join.relation.copy())
    match join.kind:
        case "":
            pass
        case "CROSS" | "LEFT" | "RIGHT" | "FULL":
            tree.set("kind" if join.kind == "CROSS" else "side", join.kind)
        case _:
            tree.set("side", side)
            tree.set("kind", kind)
    if join.on is not None:
        tree.set("on", join.on.copy())
    return tree
